import type { LedgerEntry } from "@ironlease/client";
import { Money } from "#ui/money.tsx";
import { Table, type Column } from "#ui/table.tsx";
import { Time } from "#ui/time.tsx";
import { ledgerTypes } from "./ledger-types.ts";

export function LedgerTable({ entries }: { readonly entries: readonly LedgerEntry[] }) {
  return <Table label="Ledger" columns={columns} rows={entries} keyOf={({ id }) => id} />;
}

const columns: readonly Column<LedgerEntry>[] = [
  { title: "Date", cell: ({ createdAt }) => <Time at={createdAt} /> },
  { title: "Type", isHeading: true, cell: ({ type }) => ledgerTypes[type] },
  {
    title: "Description",
    isFreeText: true,
    cell: ({ description }) => <span className="text-quiet">{description}</span>,
  },
  {
    title: "Amount",
    isNumber: true,
    cell: ({ amountUsd }) => (
      <Money usd={amountUsd} isMovement {...(amountUsd > 0 ? { className: "text-good" } : {})} />
    ),
  },
  {
    title: "Balance after",
    isNumber: true,
    cell: ({ balanceAfterUsd }) => <Money usd={balanceAfterUsd} />,
  },
];
