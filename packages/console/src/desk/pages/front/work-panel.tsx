import type { ReadOverviewAnswer, ReadOverviewAnswerWork } from "@ironlease/client/operator";
import { EmptyState } from "../../../ui/states.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { Table, type Column } from "../../../ui/table.tsx";
import { TextLink } from "../../../ui/text-link.tsx";
import { LinkButton } from "../../../ui/button.tsx";
import { deskRoutes } from "../../../urls.ts";
import { Age } from "../work/age.tsx";
import { kinds } from "../work/kinds.tsx";

/** What waits, by kind, and since when. */
export function WorkPanel({ work }: { readonly work: ReadOverviewAnswer["work"] }) {
  const waiting = work.filter(({ open, claimed }) => open + claimed > 0);
  return (
    <Panel
      title="Work"
      isFlush
      actions={
        <LinkButton size="small" to={deskRoutes.work}>
          Open the queue
        </LinkButton>
      }
    >
      {waiting.length === 0 ? (
        <EmptyState title="Nothing waits">What customers ask for shows up here.</EmptyState>
      ) : (
        <Table
          label="Open work by kind"
          isDense
          columns={columns}
          rows={waiting}
          keyOf={({ kind }) => kind}
        />
      )}
    </Panel>
  );
}

const columns: readonly Column<ReadOverviewAnswerWork>[] = [
  {
    title: "Kind",
    isHeading: true,
    cell: ({ kind }) => (
      <TextLink to={deskRoutes.work} search={{ kind }}>
        {kinds[kind].name}
      </TextLink>
    ),
  },
  { title: "Open", isNumber: true, cell: ({ open }) => open },
  { title: "Claimed", isNumber: true, cell: ({ claimed }) => claimed },
  {
    title: "Oldest",
    isNumber: true,
    cell: ({ oldestAt }) => (oldestAt === null ? "–" : <Age since={oldestAt} />),
  },
];
