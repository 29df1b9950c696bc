import { useQuery } from "@tanstack/react-query";
import { Money } from "#ui/money.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { Time } from "#ui/time.tsx";
import { accountRoutes, urlOf } from "#app/urls.ts";
import { reads } from "#account/data/reads.ts";
import { useServerNames } from "#account/shared/use-server-names.ts";

/** The next charges to the balance. */
export function RenewalsPanel() {
  const summary = useQuery(reads.accountSummary);
  const nameOf = useServerNames(summary.data?.upcoming);
  return (
    <Panel title="Upcoming renewals" isFlush>
      <Loaded query={summary}>
        {({ upcoming }) =>
          upcoming.length === 0 ? (
            <EmptyState title="No upcoming renewals">
              Delivered servers with automatic renewal appear here.
            </EmptyState>
          ) : (
            <ul className="divide-y divide-line border-t border-line">
              {upcoming.map((server) => (
                <li
                  key={server.id}
                  className="flex items-center justify-between gap-4 px-5 py-3 text-sm sm:px-6"
                >
                  <span className="flex min-w-0 flex-col">
                    <TextLink
                      to={urlOf(accountRoutes.server, { id: server.id })}
                      className="truncate"
                    >
                      {nameOf(server)}
                    </TextLink>
                    <span className="text-quiet">
                      {server.state === "GRACE" && "Due since "}
                      <Time at={server.at} />
                    </span>
                  </span>
                  <Money usd={server.usd} className="font-medium" />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}
