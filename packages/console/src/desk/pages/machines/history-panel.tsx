import type { MachineHistoryEntry, Server } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { useFilters } from "#ui/filters.ts";
import { PagedTable } from "#ui/paged-table.tsx";
import { Panel } from "#ui/panel.tsx";
import { sentenceCase } from "#ui/sentence-case.ts";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { History } from "#ui/icons.ts";
import { NoValue, type Column } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { Time } from "#ui/time.tsx";
import { deskRoutes, urlOf } from "#app/urls.ts";
import { reads } from "#desk/data/reads.ts";
import { AuditDetail } from "#desk/shared/audit-columns.tsx";
import { AccountLink } from "#desk/shared/links.tsx";
import { serverStateWord } from "#desk/shared/server-state.tsx";
import { kinds, type WorkKind } from "#desk/shared/work-kinds.tsx";

/** Servers, work, runs and changes of a machine, newest first. */
export function HistoryPanel({ machineId }: { readonly machineId: string }) {
  const filters = useFilters();
  const history = useQuery(reads.machineHistory(machineId, filters.get("after")));
  return (
    <Panel title="History" isFlush>
      <Loaded query={history}>
        {({ history: entries }) => (
          <PagedTable
            label="History"
            columns={columns}
            rows={entries}
            empty={
              <EmptyState icon={<History className="size-6" />} title="Nothing happened yet" />
            }
          />
        )}
      </Loaded>
    </Panel>
  );
}

const columns: readonly Column<MachineHistoryEntry>[] = [
  { title: "Time", place: "detail", cell: ({ at }) => <Time at={at} /> },
  { title: "Event", isHeading: true, cell: (entry) => <Event entry={entry} /> },
  {
    title: "By",
    place: "labelled",
    cell: ({ by, kind, accountId }) =>
      by === null ? <NoValue /> : <By by={by} account={kind === "SERVER" ? accountId : null} />,
  },
  {
    title: "Details",
    isFreeText: true,
    place: "detail",
    cell: (entry) => <Details entry={entry} />,
  },
];

function Event({ entry: { kind, event, workId } }: { readonly entry: MachineHistoryEntry }) {
  if (kind === "CHANGE") return <code className="font-mono text-xs">{event}</code>;
  if (kind === "SERVER") return "Server ordered";
  const name =
    kind === "RUN" ? `Run: ${sentenceCase(event).toLowerCase()}` : kinds[event as WorkKind].name;
  return workId === null ? (
    name
  ) : (
    <TextLink to={urlOf(deskRoutes.workItem, { id: workId })}>{name}</TextLink>
  );
}

function By({ by, account }: { readonly by: string; readonly account: string | null }) {
  return account === null ? by : <AccountLink id={account} username={by} />;
}

function Details({ entry }: { readonly entry: MachineHistoryEntry }) {
  const { kind, state, outcome, hostname, note, endedAt, detail } = entry;
  if (kind === "CHANGE") return <AuditDetail detail={detail} />;
  const words =
    kind === "SERVER"
      ? [serverStateWord(state as Server["state"])]
      : [state, outcome].filter((word) => word !== null).map(sentenceCase);
  // The name of a run says its step already.
  const facts = [
    words.join(", "),
    kind === "SERVER" ? hostname : null,
    kind === "RUN" ? null : note,
  ];
  return (
    <span className="flex flex-wrap gap-x-3 text-xs">
      {facts.map((fact) => fact !== null && fact !== "" && <span key={fact}>{fact}</span>)}
      {endedAt !== null && (
        <span className="text-quiet">
          ended <Time at={endedAt} />
        </span>
      )}
    </span>
  );
}
