import { csvRow, ledgerCells, ledgerHeader } from "@ironlease/csv";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "#ui/button.tsx";
import { download } from "#ui/download.ts";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { Download } from "#ui/icons.ts";
import { Panel } from "#ui/panel.tsx";
import { client } from "#desk/data/client.ts";
import { MonthField } from "./month-field.tsx";

/** The ledger of a month for the bookkeeper. */
export function LedgerPanel({ thisMonth }: { readonly thisMonth: string }) {
  const [month, setMonth] = useState(thisMonth);
  const saving = useMutation({ mutationFn: save });
  return (
    <Panel
      title="Ledger"
      description="Every entry of a month in double entry, customers’ and the house’s, as CSV for your bookkeeper."
    >
      <div className="flex flex-col gap-4">
        {saving.error !== null && <ErrorNotice error={saving.error} />}
        <div className="flex flex-wrap items-end gap-3">
          <MonthField value={month} onChange={setMonth} />
          <Button
            icon={<Download aria-hidden className="size-4" />}
            isPending={saving.isPending}
            onClick={() => saving.mutate(month)}
          >
            Download ledger
          </Button>
        </div>
      </div>
    </Panel>
  );
}

async function save(month: string): Promise<void> {
  const { entries } = await client.exportLedger({ month });
  const lines = [ledgerHeader, ...entries.map((entry) => ledgerCells(entry))].map((cells) =>
    csvRow(cells),
  );
  download(`ledger-${month}.csv`, "text/csv", `${lines.join("\r\n")}\r\n`);
}
