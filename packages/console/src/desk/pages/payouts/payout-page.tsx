import { amountText } from "#ui/coin-text.ts";
import type { PayoutSummary, ReadPayoutAnswer as Payout } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { CopyValue } from "#ui/copy-button.tsx";
import { IdText } from "#ui/id-text.tsx";
import { Fact, Facts } from "#ui/facts.tsx";
import { Money } from "#ui/money.tsx";
import { priceText } from "#ui/money-text.ts";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { Loaded } from "#ui/states.tsx";
import { Table, type Column } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { Time } from "#ui/time.tsx";
import { sentenceCase } from "#ui/sentence-case.ts";
import { deskRoutes, urlOf } from "#app/urls.ts";
import { reads } from "#desk/data/reads.ts";
import { AccountLink } from "#desk/shared/links.tsx";
import { Missing } from "#desk/shared/missing.tsx";
import { NextStep } from "./next-step.tsx";
import { PayoutStateBadge } from "./payout-state.tsx";

export function PayoutPage() {
  const { id = "" }: { id?: string } = useParams({ strict: false });
  const payout = useQuery(reads.payout(id));
  const { data } = payout;
  const title =
    data === undefined ? "Payout" : `Payout of ${amountText(data.amount)} ${data.asset}`;
  return (
    <Page
      title={title}
      crumbs={[{ to: deskRoutes.payouts, label: "Payouts" }]}
      lead={data !== undefined && <PayoutStateBadge state={data.state} />}
    >
      {/* Remount per payout, so that a transaction pasted for one is never sent with another. */}
      <Loaded key={id} query={payout} missing={<Missing what="Payout" />}>
        {(found) => (
          <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_26rem]">
            <div className="flex min-w-0 flex-col gap-5">
              <Panel title="Withdrawals" isFlush>
                <Table
                  label="Withdrawals"
                  isDense
                  columns={columns}
                  rows={found.withdrawals}
                  keyOf={({ withdrawalId }) => withdrawalId}
                />
              </Panel>
              <Panel title="Transaction">
                <TransactionFacts payout={found} />
              </Panel>
            </div>
            <NextStep payout={found} />
          </div>
        )}
      </Loaded>
    </Page>
  );
}

const columns: readonly Column<PayoutSummary["withdrawals"][number]>[] = [
  {
    title: "Customer",
    isHeading: true,
    cell: ({ accountId, username }) => <AccountLink id={accountId} username={username} />,
  },
  {
    title: "Destination",
    place: "detail",
    isFreeText: true,
    cell: ({ destination }) => <CopyValue text={destination} what="destination" />,
  },
  { title: "Coins", isNumber: true, place: "labelled", cell: ({ amount }) => amountText(amount) },
  {
    title: "USD",
    isNumber: true,
    place: "corner",
    cell: ({ workId, usd }) => (
      <TextLink to={urlOf(deskRoutes.workItem, { id: workId })}>
        <Money usd={usd} />
      </TextLink>
    ),
  },
];

function TransactionFacts({ payout }: { readonly payout: Payout }) {
  const { asset, feeAsset, transactionId, from, broadcastBy, broadcastAt, signedBy } = payout;
  return (
    <Facts>
      <Fact name="Total">
        <span className="figures">
          {amountText(payout.amount)} {asset}
        </span>
      </Fact>
      <Fact name="In USD">
        <Money usd={payout.usd} />
      </Fact>
      <Fact name="Rate">
        1 {asset} = {priceText(payout.rate)}
      </Fact>
      <Fact name="Network fee">
        <span className="figures">
          {payout.fee} {feeAsset}
        </span>
      </Fact>
      <Fact name="Network">{sentenceCase(payout.network)}</Fact>
      <Fact name="Prepared">
        {payout.preparedBy}, <Time at={payout.createdAt} />
      </Fact>
      {signedBy !== null && <Fact name="Uploaded by">{signedBy}</Fact>}
      {broadcastBy !== null && broadcastAt !== null && (
        <Fact name="Approved and sent">
          {broadcastBy}, <Time at={broadcastAt} />
        </Fact>
      )}
      {transactionId !== null && (
        <Fact name="Transaction id" isWide>
          <IdText id={transactionId} what="transaction id" />
        </Fact>
      )}
      {from !== null && (
        <Fact name="Paid from" isWide>
          <CopyValue text={from} what="address" />
        </Fact>
      )}
    </Facts>
  );
}
