import type { ControllerCounts } from "@ironlease/csv";
import { useState } from "react";
import { apiErrorOf } from "#data/api-errors.ts";
import { useChange } from "#data/use-change.ts";
import { Button, LinkButton } from "#ui/button.tsx";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { TextArea } from "#ui/field.tsx";
import { FileButton } from "#ui/file-button.tsx";
import { Notice } from "#ui/notice.tsx";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { Table, type Column } from "#ui/table.tsx";
import { deskRoutes } from "#app/urls.ts";
import { client } from "#desk/data/client.ts";
import { keys } from "#desk/data/reads.ts";
import { placeOf } from "#desk/shared/machine-state.tsx";
import { readImport, rowProblem, type ImportRow, type ImportRows } from "./read-import.ts";

const shownRows = 20;
const example = "assetTag,configId,regionId,rack,unit\nFRA1-R07-U12,metal-s,fra,R07,12";

/** Adds all machines or, if any is invalid, none. */
export function ImportPage() {
  const [text, setText] = useState("");
  const add = useChange(client.addMachines, [keys.machines, keys.overview]);
  const read = readImport(text);
  const rows = read.kind === "rows" ? read.rows : [];
  const change = (next: string) => {
    setText(next);
    add.reset();
  };
  return (
    <Page
      title="Import machines"
      crumbs={[{ to: deskRoutes.machines, label: "Machines" }]}
      lead="From a CSV file with a header line, or a JSON list. Either all machines are added or none. Only an admin can import controllers."
    >
      {add.data !== undefined && (
        <Notice
          tone="good"
          isAnnounced
          title={`${machineCount("machines" in add.data ? add.data.machines.length : 1)} added`}
          actions={
            <LinkButton size="small" to={deskRoutes.machines}>
              View machines
            </LinkButton>
          }
        />
      )}
      <div className="grid items-start gap-5 xl:grid-cols-2">
        <Panel title="File">
          <div className="flex flex-col gap-4">
            <FileButton
              accept=".csv,.json,text/csv,application/json"
              onRead={(file) => void file.text().then(change)}
            />
            <TextArea
              name="text"
              label="Or paste the text"
              placeholder={example}
              rows={12}
              value={text}
              onChange={change}
              {...(read.kind === "unreadable" ? { problem: read.why } : {})}
            />
          </div>
        </Panel>
        <Panel title={rows.length === 0 ? "Machines" : machineCount(rows.length)} isFlush>
          <div className="flex flex-col gap-4 px-5 pb-5 sm:px-6">
            {rows.length === 0 && (
              <p className="text-sm text-quiet">Choose a file to see its machines here.</p>
            )}
            {read.kind === "rows" && read.unknown.length > 0 && (
              <Notice tone="warn" title="Some columns are left out">
                <p>Not a field of a machine: {read.unknown.join(", ")}</p>
              </Notice>
            )}
            {read.kind === "rows" && <Controllers {...read.controllers} />}
            {add.error !== null && read.kind === "rows" && (
              <Problems error={add.error} read={read} />
            )}
            <div>
              <Button
                variant="primary"
                isPending={add.isPending}
                disabled={rows.length === 0 || add.isSuccess}
                onClick={() => add.mutate({ machines: rows.map(({ machine }) => machine) })}
              >
                Import {rows.length === 0 ? "machines" : machineCount(rows.length)}
              </Button>
            </div>
          </div>
          {rows.length > 0 && (
            <Table
              label="Machines in the file"
              isDense
              columns={columns}
              rows={rows.slice(0, shownRows)}
              keyOf={({ place }) => place}
            />
          )}
          {rows.length > shownRows && (
            <p className="border-t border-line px-5 py-3 text-sm text-quiet sm:px-6">
              And {rows.length - shownRows} more.
            </p>
          )}
        </Panel>
      </div>
    </Page>
  );
}

function machineCount(count: number): string {
  return count === 1 ? "1 machine" : `${count} machines`;
}

/** What the import will do with the controllers in the file. */
function Controllers({ set, skipped }: ControllerCounts) {
  if (set + skipped === 0) return null;
  return (
    <p className="text-sm">
      Controllers: {set} will be set
      {skipped > 0 && `, ${skipped} skipped for lack of a password`}.
    </p>
  );
}

function Problems({ error, read }: { readonly error: unknown; readonly read: ImportRows }) {
  const fields = apiErrorOf(error)?.fields ?? [];
  return (
    <>
      <ErrorNotice
        error={error}
        title={fields.length > 0 ? "Fix the problems below" : undefined}
        shownFields={fields.map(({ field }) => field)}
      />
      {fields.length > 0 && (
        <ul aria-label="Problems" className="flex flex-col gap-1 text-sm">
          {fields.map((problem) => {
            const { place, text } = rowProblem(problem, read);
            return (
              <li key={problem.field}>
                <span className="font-medium">{place}</span>: {text}
              </li>
            );
          })}
        </ul>
      )}
    </>
  );
}

const columns: readonly Column<ImportRow>[] = [
  { title: "Position", place: "detail", cell: ({ place }) => place },
  {
    title: "Asset tag",
    isHeading: true,
    cell: ({ machine }) => <code className="font-mono wrap-anywhere">{machine.assetTag}</code>,
  },
  { title: "Configuration", place: "detail", cell: ({ machine }) => machine.configId },
  { title: "Region", place: "detail", cell: ({ machine }) => machine.regionId },
  { title: "State", place: "corner", cell: ({ machine }) => machine.state ?? "FREE" },
  {
    title: "Place",
    place: "detail",
    cell: ({ machine: { rack, unit } }) => placeOf({ rack: rack ?? null, unit: unit ?? null }),
  },
];
