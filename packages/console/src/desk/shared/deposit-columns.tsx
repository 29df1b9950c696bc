import { amountText } from "#ui/coin-text.ts";
import type { Deposit, ListAllDepositsAnswerDeposit } from "@ironlease/client/operator";
import { Badge } from "#ui/badge.tsx";
import { IdText } from "#ui/id-text.tsx";
import { Money } from "#ui/money.tsx";
import { sentenceCase } from "#ui/sentence-case.ts";
import { NoValue, type Column } from "#ui/table.tsx";
import { Time } from "#ui/time.tsx";
import { AccountLink } from "./links.tsx";

export const depositColumns: readonly Column<Deposit>[] = [
  { title: "Seen", place: "detail", cell: ({ seenAt }) => <Time at={seenAt} /> },
  {
    title: "Amount",
    isHeading: true,
    isNumber: true,
    cell: ({ amount, asset }) => (
      <span className="figures whitespace-nowrap">
        {amountText(amount)} {asset}
      </span>
    ),
  },
  {
    title: "State",
    place: "corner",
    cell: ({ state, confirmations, confirmationsRequired }) =>
      state === "CREDITED" ? (
        <Badge tone="good">Credited</Badge>
      ) : (
        <Badge tone="wait">
          {confirmations} of {confirmationsRequired}
          <span className="sr-only"> confirmations</span>
        </Badge>
      ),
  },
  {
    title: "Address",
    place: "labelled",
    cell: ({ address, mode }) => (
      <span className="flex flex-col card:inline">
        <Narrow id={address} what="address" />{" "}
        {mode !== "LIVE" && <span className="text-xs text-quiet">{sentenceCase(mode)}</span>}
      </span>
    ),
  },
  {
    title: "Transaction",
    place: "labelled",
    cell: ({ transactionId }) => <Narrow id={transactionId} what="transaction id" />,
  },
  {
    title: "Credited",
    isNumber: true,
    place: "labelled",
    cell: ({ usd }) => (usd === null ? <NoValue /> : <Money usd={usd} />),
  },
];

/** On one line, so that rows stay as high as the others. */
function Narrow(value: { readonly id: string; readonly what: string }) {
  return (
    <span className="flex max-w-48 card:inline-flex">
      <IdText {...value} />
    </span>
  );
}

/** For lists of several accounts. */
export const customerDepositColumns: readonly Column<ListAllDepositsAnswerDeposit>[] = [
  {
    title: "Customer",
    place: "detail",
    cell: ({ accountId, username }) => <AccountLink id={accountId} username={username} />,
  },
  ...depositColumns,
];
