import type { ListActivityAnswer } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { accountRoutes, urlOf } from "#app/urls.ts";
import { Badge } from "#ui/badge.tsx";
import { optional, useFilters } from "#ui/filters.ts";
import { History } from "#ui/icons.ts";
import { Page } from "#ui/page.tsx";
import { PagedTable } from "#ui/paged-table.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import type { Column } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { Time } from "#ui/time.tsx";
import { IdText } from "#ui/id-text.tsx";
import { reads } from "#account/data/reads.ts";
import { useServerNames } from "#account/shared/use-server-names.ts";
import { actionText, isRefused } from "./action-text.ts";

type Entry = ListActivityAnswer["entries"][number];

/** What happened in the account, for customers who suspect that they are not alone in it. */
export function ActivityPage() {
  const after = useFilters().get("after");
  const activity = useQuery(reads.activity({ after: optional(after) }));
  return (
    <Page
      title="Activity"
      lead={
        <>
          Sign-ins, changes and what operators did to your account. If you do not recognize
          something, <TextLink to={accountRoutes.security}>change your password</TextLink>: it ends
          every session and API key.
        </>
      }
    >
      <Panel isFlush>
        <Loaded query={activity}>
          {({ entries }) => (
            <PagedTable
              label="Activity"
              columns={columns}
              rows={entries}
              empty={<EmptyState icon={<History className="size-6" />} title="No more entries" />}
            />
          )}
        </Loaded>
      </Panel>
    </Page>
  );
}

const columns: readonly Column<Entry>[] = [
  {
    title: "What happened",
    isHeading: true,
    cell: ({ action }) => (
      <span className="flex flex-wrap items-center gap-2">
        {actionText(action)}
        {isRefused(action) && <Badge tone="warn">Refused</Badge>}
      </span>
    ),
  },
  { title: "Target", place: "detail", cell: ({ subject }) => <Subject id={subject} /> },
  {
    title: "IP address",
    place: "end",
    cell: ({ ipAddress }) =>
      ipAddress === null ? (
        <span className="text-quiet">–</span>
      ) : (
        <code className="font-mono">{ipAddress}</code>
      ),
  },
  { title: "Time", place: "corner", cell: ({ at }) => <Time at={at} /> },
];

/** A server by its name while there is one, and everything else by its id. */
function Subject({ id }: { readonly id: string }) {
  const { data } = useQuery(reads.servers);
  const server = data?.servers.find((candidate) => candidate.id === id);
  const nameOf = useServerNames(server && [server]);
  if (server !== undefined) {
    const to = urlOf(accountRoutes.server, { id });
    return (
      <TextLink to={to} className="wrap-anywhere">
        {nameOf(server)}
      </TextLink>
    );
  }
  if (id.startsWith("acc_")) return "Account";
  if (id.startsWith("thr_")) {
    return <TextLink to={urlOf(accountRoutes.thread, { id })}>Message thread</TextLink>;
  }
  return (
    // On a phone, the address fits beside it.
    <span className="flex max-w-40 sm:max-w-none">
      <IdText id={id} what="id" />
    </span>
  );
}
