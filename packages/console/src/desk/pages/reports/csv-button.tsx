import { csvRow } from "@ironlease/csv";
import { Button } from "#ui/button.tsx";
import { download } from "#ui/download.ts";
import { Download } from "#ui/icons.ts";

/** Saves the rows of a report. */
export function CsvButton({
  name,
  header,
  rows,
}: {
  /** Without its extension. */
  readonly name: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
}) {
  const save = () => {
    const lines = [header, ...rows.map((row) => row.map(String))].map((cells) => csvRow(cells));
    download(`${name}.csv`, "text/csv", `${lines.join("\r\n")}\r\n`);
  };
  return (
    <Button size="small" icon={<Download aria-hidden className="size-4" />} onClick={save}>
      CSV<span className="sr-only"> of {name}</span>
    </Button>
  );
}
