import type { Deposit } from "@ironlease/client";
import type { ReactNode } from "react";
import { Badge } from "#ui/badge.tsx";
import { classNames } from "#ui/class-names.ts";
import { amountText } from "#ui/coin-text.ts";
import { CopyIconButton } from "#ui/copy-button.tsx";
import { Check } from "#ui/icons.ts";
import { moneyText } from "#ui/money-text.ts";
import { OutsideLink } from "#ui/text-link.tsx";
import { Time } from "#ui/time.tsx";
import { noRateText, useRate } from "./current-rate.tsx";
import { explorerUrl } from "#account/shared/explorer-url.ts";
import { rateText } from "./rate-text.ts";

/** The progress of one payment: seen, confirmed, credited. */
export function DepositTimeline({ deposit }: { readonly deposit: Deposit }) {
  const { asset, amount, mode, confirmations, confirmationsRequired } = deposit;
  const isCredited = deposit.state === "CREDITED";
  const isConfirmed = isCredited || confirmations >= confirmationsRequired;
  const rate = useRate(asset);
  const shown = Math.min(confirmations, confirmationsRequired);
  return (
    <li className="flex flex-col gap-4 px-5 py-5 sm:px-6">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="figures font-medium break-all">
          {amountText(amount)} {asset}
        </span>
        <Badge tone={isCredited ? "good" : "wait"}>{isCredited ? "Credited" : "Confirming"}</Badge>
        {mode !== "LIVE" && <Badge tone="warn">{mode}</Badge>}
        <span className="flex min-w-0 sm:ml-auto">
          <TransactionId deposit={deposit} />
        </span>
      </div>
      <ol className="grid gap-4 sm:grid-cols-3">
        <Step isDone title="Seen">
          <Time at={deposit.seenAt} />
        </Step>
        <Step isDone={isConfirmed} title={`${shown} of ${confirmationsRequired} confirmations`}>
          <progress
            aria-label="Confirmations"
            max={confirmationsRequired}
            value={shown}
            className="bar mt-2 max-w-40"
          />
        </Step>
        <Step
          isDone={isCredited}
          title={deposit.usd === null ? "Not credited yet" : `Credited ${moneyText(deposit.usd)}`}
        >
          {isConfirmed && !isCredited && rate === null && noRateText}
          {deposit.creditedAt !== null && (
            <span className="flex flex-col">
              <Time at={deposit.creditedAt} />
              <span>{rateText(deposit)}</span>
            </span>
          )}
        </Step>
      </ol>
    </li>
  );
}

/** Links to the explorer, if there is one. */
export function TransactionId({ deposit }: { readonly deposit: Deposit }) {
  const { transactionId } = deposit;
  const url = explorerUrl(deposit);
  const id = <code className="font-mono">{transactionId}</code>;
  return (
    <span className="flex min-w-0 items-center text-xs text-quiet">
      {url === undefined ? (
        <span className="truncate">{id}</span>
      ) : (
        <OutsideLink href={url} className="truncate py-1">
          {id}
        </OutsideLink>
      )}
      <CopyIconButton text={transactionId} what="transaction id" />
    </span>
  );
}

function Step({
  isDone,
  title,
  children,
}: {
  readonly isDone: boolean;
  readonly title: string;
  readonly children: ReactNode;
}) {
  return (
    <li className="flex gap-3 text-sm">
      <span
        aria-hidden
        className={classNames(
          "mt-0.5 flex size-5 shrink-0 items-center justify-center rounded-full border",
          isDone ? "border-good bg-good-soft text-good" : "border-control",
        )}
      >
        {isDone && <Check className="size-3" />}
      </span>
      <span className="flex min-w-0 grow flex-col">
        <span className={isDone ? "font-medium" : "text-quiet"}>{title}</span>
        <span className="text-quiet">{children}</span>
      </span>
    </li>
  );
}
