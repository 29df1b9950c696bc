import type { ReadDepositAddressAnswer } from "@ironlease/client";
import { Suspense, type ReactNode } from "react";
import { lazyPart } from "#app/lazy-part.tsx";
import { OutsideLinkButton } from "#ui/button.tsx";
import { decimalsOf } from "#ui/coin-text.ts";
import { CopyButton } from "#ui/copy-button.tsx";
import { Fact, Facts } from "#ui/facts.tsx";
import { TextField } from "#ui/field.tsx";
import { Wallet } from "#ui/icons.ts";
import { Panel } from "#ui/panel.tsx";
import { sentenceCase } from "#ui/sentence-case.ts";
import { Skeleton } from "#ui/states.tsx";
import { coinsForUsd } from "./coins-for-usd.ts";
import { CurrentRate, noRateText, useRate } from "./current-rate.tsx";
import { paymentUri } from "./payment-uri.ts";
import { useUsdAmount } from "./usd-amount.ts";

const QrCode = lazyPart(async () => (await import("#ui/qr-code.tsx")).QrCode);

/** What to scan or copy into a wallet: the address, and the coins for an amount of USD. */
export function PaymentPanel({ address: shown }: { readonly address: ReadDepositAddressAnswer }) {
  const { address, asset, network, confirmationsRequired } = shown;
  const { usd, setUsd } = useUsdAmount();
  const rate = useRate(asset);
  const coins = rate ? coinsForUsd(usd, rate.usd, decimalsOf(asset)) : undefined;
  const uri = paymentUri(shown, coins);
  return (
    <Panel title="Pay">
      <div className="flex flex-col gap-6">
        <div className="flex flex-col items-center gap-6 sm:flex-row sm:items-start sm:gap-8">
          <Suspense fallback={<Skeleton className="size-64 shrink-0 sm:size-72" />}>
            <QrCode text={uri ?? address} label={`QR code of the ${asset} address`} isLarge />
          </Suspense>
          <div className="flex w-full min-w-0 grow flex-col gap-5">
            {rate === null ? (
              <p className="text-sm">{noRateText}</p>
            ) : (
              <>
                <TextField
                  name="usd"
                  label="Amount in USD"
                  prefix="$"
                  inputMode="decimal"
                  placeholder="Any amount"
                  hint={
                    rate === undefined ? (
                      <Skeleton className="my-1 h-3.5 w-48" />
                    ) : (
                      <CurrentRate rate={rate} />
                    )
                  }
                  className="figures"
                  value={usd}
                  onChange={setUsd}
                  autoComplete="off"
                />
                <Copyable
                  name="Send"
                  copy={coins !== undefined && <CopyButton text={coins} what="amount" />}
                >
                  <output
                    aria-label={`Amount in ${asset}`}
                    className="figures text-xl font-semibold break-all"
                  >
                    {coins === undefined ? (
                      <span className="text-base font-normal text-quiet">Any amount</span>
                    ) : (
                      `${coins} ${asset}`
                    )}
                  </output>
                </Copyable>
              </>
            )}
            <Copyable
              name="To this address"
              copy={
                <>
                  <CopyButton text={address} what="address" />
                  {uri !== undefined && (
                    <OutsideLinkButton href={uri} icon={<Wallet aria-hidden className="size-4" />}>
                      Open in wallet
                    </OutsideLinkButton>
                  )}
                </>
              }
            >
              <code aria-label="Deposit address" className="font-mono break-all select-all">
                {address}
              </code>
            </Copyable>
          </div>
        </div>
        <Facts>
          <Fact name="Network">{sentenceCase(network)}</Fact>
          <Fact name="Confirmations required">{confirmationsRequired}</Fact>
        </Facts>
        <p className="max-w-prose text-sm text-quiet">
          Send only {asset} on {sentenceCase(network)}. Any amount is credited in USD, at the
          exchange rate when the payment is confirmed. You can use this address again.
        </p>
      </div>
    </Panel>
  );
}

function Copyable({
  name,
  copy,
  children,
}: {
  readonly name: string;
  readonly copy: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className="flex flex-col gap-1.5">
      <span className="text-sm text-quiet">{name}</span>
      {children}
      <div className="mt-1 flex flex-wrap gap-2 empty:hidden">{copy}</div>
    </div>
  );
}
