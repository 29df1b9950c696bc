import type { LedgerEntry, Order, Withdrawal } from "@ironlease/client/operator";
import { Badge, type BadgeTone } from "#ui/badge.tsx";
import { Money } from "#ui/money.tsx";
import { sentenceCase } from "#ui/sentence-case.ts";
import { NoValue, type Column } from "#ui/table.tsx";
import { Time } from "#ui/time.tsx";
import { ShortId } from "#desk/shared/links.tsx";

export const ledgerColumns: readonly Column<LedgerEntry>[] = [
  { title: "Time", place: "detail", cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    title: "Type",
    isHeading: true,
    cell: ({ type }) => sentenceCase(type),
  },
  {
    title: "Description",
    isFreeText: true,
    place: "detail",
    cell: ({ description }) => description,
  },
  { title: "Reference", place: "detail", cell: ({ reference }) => <ShortId id={reference.id} /> },
  {
    title: "Amount",
    isNumber: true,
    place: "corner",
    cell: ({ amountUsd }) => <Money usd={amountUsd} isMovement />,
  },
  {
    title: "Balance after",
    isNumber: true,
    place: "labelled",
    cell: ({ balanceAfterUsd }) => <Money usd={balanceAfterUsd} />,
  },
];

export const orderColumns: readonly Column<Order>[] = [
  { title: "Order", isHeading: true, cell: ({ id }) => <ShortId id={id} /> },
  { title: "Time", place: "detail", cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    title: "Details",
    place: "detail",
    cell: ({ quantity, configId, regionId, osId, term }) =>
      `${quantity} × ${configId} · ${regionId} · ${osId} · ${term}`,
  },
  {
    title: "Servers",
    isNumber: true,
    place: "labelled",
    cell: ({ serverIds }) => serverIds.length,
  },
  {
    title: "Total",
    isNumber: true,
    place: "corner",
    cell: ({ totalUsd }) => <Money usd={totalUsd} />,
  },
];

const tones: Readonly<Record<Withdrawal["status"], BadgeTone>> = {
  PENDING_REVIEW: "wait",
  PAID: "good",
  REJECTED: "bad",
};

const labels: Readonly<Record<Withdrawal["status"], string>> = {
  PENDING_REVIEW: "Under review",
  PAID: "Paid",
  REJECTED: "Rejected",
};

export const withdrawalColumns: readonly Column<Withdrawal>[] = [
  { title: "Withdrawal", isHeading: true, cell: ({ id }) => <ShortId id={id} /> },
  { title: "Time", place: "detail", cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    title: "State",
    place: "corner",
    cell: ({ status }) => <Badge tone={tones[status]}>{labels[status]}</Badge>,
  },
  {
    title: "Destination",
    place: "detail",
    cell: ({ asset, destination }) => (
      <span className="break-all">
        {asset} <code className="font-mono text-xs">{destination}</code>
      </span>
    ),
  },
  {
    title: "Transaction",
    place: "labelled",
    cell: ({ transactionId }) =>
      transactionId === null ? (
        <NoValue />
      ) : (
        <code className="font-mono text-xs break-all">{transactionId}</code>
      ),
  },
  { title: "Amount", isNumber: true, place: "corner", cell: ({ usd }) => <Money usd={usd} /> },
];
