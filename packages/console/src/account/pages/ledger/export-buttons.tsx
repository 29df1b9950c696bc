import { useMutation } from "@tanstack/react-query";
import { Button } from "#ui/button.tsx";
import { download } from "#ui/download.ts";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { Download } from "#ui/icons.ts";
import { client } from "#account/data/client.ts";
import { fileNameOf, type Period } from "#account/shared/period.ts";
import { ledgerCsv } from "./ledger-csv.ts";
import type { LedgerFilter } from "./use-ledger-filter.ts";

/** A statement of many entries takes longer than other answers. */
const patience = { timeoutMs: 300_000, deadlineMs: 300_000 } as const;

const formats = ["csv", "json"] as const;
type Format = (typeof formats)[number];

/** Saves all entries that match the filter, not only those of this page. */
export function ExportButtons({ filter }: { readonly filter: LedgerFilter }) {
  const { period, type } = filter;
  const saving = useMutation({
    mutationFn: (wanted: { readonly period: Period; readonly format: Format }) =>
      save({ ...wanted, type }),
  });
  return (
    <div className="flex flex-col gap-2">
      <div className="flex gap-2">
        {formats.map((format) => (
          <Button
            key={format}
            icon={<Download aria-hidden className="size-4" />}
            disabled={period === undefined}
            isPending={saving.isPending && saving.variables.format === format}
            onClick={() => period !== undefined && saving.mutate({ period, format })}
          >
            <span>
              <span className="max-sm:sr-only">Download </span>
              {format.toUpperCase()}
            </span>
          </Button>
        ))}
      </div>
      {saving.error !== null && <ErrorNotice error={saving.error} />}
    </div>
  );
}

/** The statement of the period has every entry in one answer. */
async function save({
  period,
  type,
  format,
}: {
  readonly period: Period;
  readonly type: LedgerFilter["type"];
  readonly format: Format;
}): Promise<void> {
  const statement = await client.readStatement(period, patience);
  const entries = statement.entries.filter((entry) => type === undefined || entry.type === type);
  const name = fileNameOf(period, format, new Date(), "ledger");
  if (format === "csv") download(name, "text/csv", ledgerCsv(entries));
  else download(name, "application/json", JSON.stringify({ entries }, null, 2));
}
