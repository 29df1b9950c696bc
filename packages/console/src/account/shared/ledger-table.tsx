import type { LedgerEntry } from "@ironlease/client";
import { CopyIconButton } from "#ui/copy-button.tsx";
import { Money } from "#ui/money.tsx";
import { Table, type Column } from "#ui/table.tsx";
import { Time } from "#ui/time.tsx";
import { ledgerTypes } from "./ledger-types.ts";

export function LedgerTable({
  entries,
  hasHashes = false,
}: {
  readonly entries: readonly LedgerEntry[];
  readonly hasHashes?: boolean;
}) {
  const shown = hasHashes ? [...columns, hashColumn] : columns;
  return <Table label="Ledger" columns={shown} rows={entries} keyOf={({ id }) => id} />;
}

const hashColumn: Column<LedgerEntry> = {
  title: "Hash",
  // An entry of an earlier version has none until the service has chained it.
  cell: ({ hash }) =>
    hash !== null && (
      <span className="-my-2 flex items-center text-quiet">
        <code className="font-mono text-xs">{hash.slice(0, 8)}</code>
        <CopyIconButton text={hash} what="hash" />
      </span>
    ),
};

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
