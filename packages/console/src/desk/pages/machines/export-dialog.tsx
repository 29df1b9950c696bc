import type { Machine } from "@ironlease/client/operator";
import { cellsOfMachine, exportedMachine, machineHeader } from "@ironlease/csv";
import { useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { Dialog, DialogActions } from "#ui/dialog.tsx";
import { download } from "#ui/download.ts";
import { SelectField } from "#ui/field.tsx";
import { hasMore } from "#ui/filters.ts";
import { Form } from "#ui/form.tsx";
import { client } from "#desk/data/client.ts";

type Format = "csv" | "json";

/** Saves all machines to a file, read page by page. */
export function ExportDialog({ onClose }: { readonly onClose: () => void }) {
  const [format, setFormat] = useState<Format>("csv");
  const [count, setCount] = useState(0);
  const save = useChange(async () => {
    const { name, type, text } = fileOf(await readAll(setCount), format);
    download(name, type, text);
  });
  return (
    <Dialog
      isOpen
      title="Export machines"
      description={
        <p>
          All machines with their records, in the format of an import. Controllers are included,
          their passwords are not.
        </p>
      }
      onClose={onClose}
    >
      <Form
        label="Export machines"
        error={save.error}
        onSubmit={() => save.mutate(undefined, { onSuccess: onClose })}
      >
        <SelectField
          name="format"
          label="Format"
          value={format}
          options={[
            { value: "csv", label: "CSV, for spreadsheets" },
            { value: "json", label: "JSON" },
          ]}
          onChange={setFormat}
        />
        <p role="status" className="text-sm text-quiet">
          {save.isPending && `${count} machines read`}
        </p>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={save.isPending}>
            Save file
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

async function readAll(onCount: (count: number) => void): Promise<readonly Machine[]> {
  const all: Machine[] = [];
  for (let after: string | undefined; ;) {
    const { machines } = await client.listMachines({ after });
    all.push(...machines);
    onCount(all.length);
    if (!hasMore(machines)) return all;
    after = machines.at(-1)?.id;
  }
}

function fileOf(machines: readonly Machine[], format: Format) {
  if (format === "csv") {
    const lines = [machineHeader, ...machines.map(cellsOfMachine)];
    return { name: "machines.csv", type: "text/csv", text: `${lines.join("\r\n")}\r\n` };
  }
  const text = JSON.stringify({ machines: machines.map(exportedMachine) }, null, 1);
  return { name: "machines.json", type: "application/json", text };
}
