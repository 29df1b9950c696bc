import type { ListServersAnswer } from "@ironlease/client";
import type { UseQueryResult } from "@tanstack/react-query";
import { Money } from "#ui/money.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { Time } from "#ui/time.tsx";
import { accountRoutes, urlOf } from "#app/urls.ts";
import { serverName } from "#account/shared/server-name.ts";
import { renewalsAhead } from "./renewals.ts";
import { renewalUsd } from "#account/shared/renewal-price.ts";

const shownCount = 5;

/** The next charges to the balance. */
export function RenewalsPanel({
  servers,
}: {
  readonly servers: UseQueryResult<ListServersAnswer>;
}) {
  return (
    <Panel title="Upcoming renewals" isFlush>
      <Loaded query={servers}>
        {({ servers: list }) => {
          const next = renewalsAhead(list).slice(0, shownCount);
          return next.length === 0 ? (
            <EmptyState title="No upcoming renewals">
              Delivered servers with automatic renewal appear here.
            </EmptyState>
          ) : (
            <ul className="divide-y divide-line border-t border-line">
              {next.map(({ server, at }) => (
                <li
                  key={server.id}
                  className="flex items-center justify-between gap-4 px-5 py-3 text-sm sm:px-6"
                >
                  <span className="flex min-w-0 flex-col">
                    <TextLink
                      to={urlOf(accountRoutes.server, { id: server.id })}
                      className="truncate"
                    >
                      {serverName(server)}
                    </TextLink>
                    <span className="text-quiet">
                      {server.state === "GRACE" && "Due since "}
                      <Time at={new Date(at).toISOString()} />
                    </span>
                  </span>
                  <Money usd={renewalUsd(server)} className="font-medium" />
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Panel>
  );
}
