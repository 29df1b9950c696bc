import type { Checklist } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { deskRoutes } from "#app/urls.ts";
import { Button } from "#ui/button.tsx";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { Loaded } from "#ui/states.tsx";
import { NoValue, Table, type Column } from "#ui/table.tsx";
import { Time } from "#ui/time.tsx";
import { reads } from "#desk/data/reads.ts";
import { usePermissions } from "#desk/data/use-permissions.ts";
import { actionWord } from "#desk/shared/work-detail.ts";
import { kinds } from "#desk/shared/work-kinds.tsx";
import { SetChecklistDialog } from "./set-checklist-dialog.tsx";

/** The steps that operators tick off, by kind of work. */
export function ChecklistsPage() {
  const checklists = useQuery(reads.checklists);
  const { can } = usePermissions();
  const [edited, setEdited] = useState<Checklist>();
  return (
    <Page
      title="Checklists"
      lead="Operators tick these steps while they work. Completing an item with open steps asks first."
      crumbs={[{ to: deskRoutes.work, label: "Queue" }]}
    >
      <Panel isFlush>
        <Loaded query={checklists}>
          {({ checklists: list }) => (
            <Table
              label="Checklists"
              columns={columnsWith(can("setChecklist") ? setEdited : undefined)}
              rows={list}
              keyOf={({ kind }) => kind}
            />
          )}
        </Loaded>
      </Panel>
      {edited !== undefined && (
        <SetChecklistDialog
          checklist={edited}
          name={nameOf(edited)}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Page>
  );
}

function nameOf({ kind }: Checklist): string {
  return kind in kinds ? kinds[kind as keyof typeof kinds].name : actionWord(kind);
}

function columnsWith(
  onEdit: ((checklist: Checklist) => void) | undefined,
): readonly Column<Checklist>[] {
  const columns: readonly Column<Checklist>[] = [
    { title: "Work", isHeading: true, cell: nameOf },
    {
      title: "Steps",
      place: "detail",
      isFreeText: true,
      cell: ({ lines }) =>
        lines.length === 0 ? (
          <NoValue>None</NoValue>
        ) : (
          <ol className="list-decimal pl-5 text-left">
            {lines.map((line) => (
              <li key={line} className="wrap-anywhere">
                {line}
              </li>
            ))}
          </ol>
        ),
    },
    {
      title: "Changed",
      place: "labelled",
      cell: ({ changedBy, changedAt }) =>
        changedBy === null || changedAt === null ? (
          "Never"
        ) : (
          <>
            {changedBy}, <Time at={changedAt} />
          </>
        ),
    },
  ];
  if (onEdit === undefined) return columns;
  return [
    ...columns,
    {
      title: "Actions",
      isTitleHidden: true,
      isNumber: true,
      place: "corner",
      cell: (checklist) => (
        <Button size="small" onClick={() => onEdit(checklist)}>
          Edit<span className="sr-only"> {nameOf(checklist)}</span>
        </Button>
      ),
    },
  ];
}
