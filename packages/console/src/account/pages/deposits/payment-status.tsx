import type { Deposit } from "@ironlease/client";
import type { ReactNode } from "react";
import { amountText } from "#ui/coin-text.ts";
import { LinkButton } from "#ui/button.tsx";
import { CircleCheck, LoaderCircle } from "#ui/icons.ts";
import { moneyText } from "#ui/money-text.ts";
import { Money } from "#ui/money.tsx";
import { Panel } from "#ui/panel.tsx";
import { Skeleton } from "#ui/states.tsx";
import { accountRoutes } from "#app/urls.ts";
import { useBalance } from "#account/data/use-balance.ts";
import { noRateText, useRate } from "./current-rate.tsx";
import { TransactionId } from "./deposit-timeline.tsx";
import { rateText } from "./rate-text.ts";

/** The payment that is arriving, in place: waiting, confirming, credited. */
export function PaymentStatus({ payment }: { readonly payment: Deposit | undefined }) {
  return (
    <Panel title="Status">
      <div aria-live="polite">
        {payment === undefined && (
          <State
            icon={<Spinner />}
            title="Waiting for your payment"
            text="It appears here as soon as the network reports it, usually within a minute. You can close this page and come back."
          />
        )}
        {payment?.state === "CONFIRMING" && <Confirming payment={payment} />}
        {payment?.state === "CREDITED" && <Credited payment={payment} />}
      </div>
    </Panel>
  );
}

function Confirming({ payment }: { readonly payment: Deposit }) {
  const { asset, amount, confirmations, confirmationsRequired } = payment;
  const rate = useRate(asset);
  const shown = Math.min(confirmations, confirmationsRequired);
  const isConfirmed = confirmations >= confirmationsRequired;
  return (
    <State
      icon={<Spinner />}
      title="Payment received"
      text={`${amountText(amount)} ${asset}. It is credited after ${confirmationsRequired} confirmations.`}
    >
      <div className="flex flex-col gap-2">
        <p className="figures text-xl font-semibold">
          {shown} of {confirmationsRequired}
          <span className="text-sm font-normal text-quiet"> confirmations</span>
        </p>
        <progress
          aria-label="Confirmations of this payment"
          max={confirmationsRequired}
          value={shown}
          className="bar"
        />
        {isConfirmed && rate === null && <p className="text-sm text-quiet">{noRateText}</p>}
      </div>
      <TransactionId deposit={payment} />
    </State>
  );
}

function Credited({ payment }: { readonly payment: Deposit }) {
  const { usd, amount, asset } = payment;
  const balanceUsd = useBalance();
  return (
    <State
      icon={<CircleCheck aria-hidden className="size-6 text-good" />}
      title={`Credited ${moneyText(usd ?? 0)}`}
      text={`${amountText(amount)} ${asset}, ${rateText(payment)}`}
    >
      <dl className="flex flex-col">
        <dt className="text-sm text-quiet">New balance</dt>
        <dd className="text-2xl font-semibold">
          {balanceUsd === undefined ? (
            <Skeleton className="my-1 h-6 w-28" />
          ) : (
            <Money usd={balanceUsd} />
          )}
        </dd>
      </dl>
      <TransactionId deposit={payment} />
      <div className="flex flex-wrap gap-2">
        <LinkButton variant="primary" to={accountRoutes.order}>
          Order servers
        </LinkButton>
        <LinkButton to={accountRoutes.billing}>View ledger</LinkButton>
      </div>
    </State>
  );
}

function State({
  icon,
  title,
  text,
  children,
}: {
  readonly icon: ReactNode;
  readonly title: string;
  readonly text: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className="flex gap-4">
      <span className="flex size-6 shrink-0 items-center justify-center">{icon}</span>
      <div className="flex min-w-0 grow flex-col gap-4">
        <div className="flex flex-col gap-0.5">
          <p className="font-semibold">{title}</p>
          <p className="text-sm text-quiet wrap-anywhere">{text}</p>
        </div>
        {children}
      </div>
    </div>
  );
}

function Spinner() {
  return <LoaderCircle aria-hidden className="size-5 animate-spin text-wait" />;
}
