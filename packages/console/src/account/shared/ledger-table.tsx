import type { LedgerEntry } from "@ironlease/client";
import { Money } from "#ui/money.tsx";
import { Table, type Column } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { Time } from "#ui/time.tsx";
import { accountRoutes, urlOf } from "#app/urls.ts";
import { ledgerTypes } from "./ledger-types.ts";

export function LedgerTable({
  entries,
  isSticky = false,
}: {
  readonly entries: readonly LedgerEntry[];
  readonly isSticky?: boolean;
}) {
  return (
    <Table
      label="Ledger"
      columns={columns}
      rows={entries}
      keyOf={({ id }) => id}
      isSticky={isSticky}
    />
  );
}

const columns: readonly Column<LedgerEntry>[] = [
  { title: "Date", place: "detail", cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    title: "Entry",
    isHeading: true,
    // A long word in a reason breaks here, and never pushes the amounts aside.
    isFreeText: true,
    cell: ({ type, description }) => (
      <span className="flex flex-col">
        {ledgerTypes[type]}
        <span className="font-normal text-quiet">{description}</span>
      </span>
    ),
  },
  {
    title: "Amount",
    isNumber: true,
    place: "corner",
    cell: ({ amountUsd }) => (
      <Money usd={amountUsd} isMovement {...(amountUsd > 0 ? { className: "text-good" } : {})} />
    ),
  },
  {
    title: "Balance after",
    isNumber: true,
    cell: ({ balanceAfterUsd }) => <Money usd={balanceAfterUsd} />,
  },
  {
    title: "Receipt",
    isTitleHidden: true,
    isNumber: true,
    place: "end",
    cell: ({ id, type, createdAt }) => (
      <TextLink to={urlOf(accountRoutes.receipt, { id })} className="py-2 text-sm font-normal">
        Receipt
        <span className="sr-only">
          {" "}
          for {ledgerTypes[type]}, {createdAt.slice(0, 10)}
        </span>
      </TextLink>
    ),
  },
];
