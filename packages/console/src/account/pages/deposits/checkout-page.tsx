import type { ReadDepositAddressAnswer } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { Loaded } from "#ui/states.tsx";
import { useNow } from "#ui/time.tsx";
import { accountRoutes } from "#app/urls.ts";
import { reads } from "#account/data/reads.ts";
import { assetLabel } from "#account/shared/assets.ts";
import { Missing } from "#account/shared/missing.tsx";
import { SettlementModeNotice } from "#account/shared/settlement-mode.tsx";
import { currentPayment } from "./current-payment.ts";
import { DepositTimeline } from "./deposit-timeline.tsx";
import { PaymentPanel } from "./payment-panel.tsx";
import { PaymentStatus } from "./payment-status.tsx";

/** One deposit address: how to pay to it, and its payments as they arrive. */
export function CheckoutPage() {
  const { id = "" }: { id?: string } = useParams({ strict: false });
  const address = useQuery(reads.depositAddress(id));
  const asset = address.data?.asset;
  return (
    <Page
      title={asset === undefined ? "Deposit" : `Deposit ${assetLabel(asset)}`}
      crumbs={[
        { to: accountRoutes.billing, label: "Billing" },
        { to: accountRoutes.deposit, label: "Deposit" },
      ]}
    >
      <Loaded
        query={address}
        isPadded={false}
        missing={<Missing what="Address" list={accountRoutes.deposit} linkText="Start over" />}
      >
        {(data) => <Checkout key={data.id} address={data} />}
      </Loaded>
    </Page>
  );
}

function Checkout({ address }: { readonly address: ReadDepositAddressAnswer }) {
  const { latestDeposits, mode } = address;
  const payment = currentPayment(latestDeposits, useNow(60_000));
  const others = latestDeposits.filter((deposit) => deposit !== payment);
  return (
    <>
      <SettlementModeNotice mode={mode} />
      <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <PaymentPanel address={address} />
        {/* Above the QR code on a phone as soon as there is a payment. */}
        <div className={payment === undefined ? undefined : "max-xl:order-first"}>
          <PaymentStatus payment={payment} />
        </div>
      </div>
      {others.length > 0 && (
        <Panel title="Other payments to this address" description="The latest 20" isFlush>
          <ul aria-label="Deposits" className="divide-y divide-line border-t border-line">
            {others.map((deposit) => (
              <DepositTimeline key={deposit.id} deposit={deposit} />
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
}
