import type {
  CreateDepositAddressAnswer,
  CreateDepositAddressRequest,
  DepositAddress as ListedAddress,
} from "@ironlease/client";
import { useQuery, type UseMutationResult } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { useIdempotentChange, type IdempotentChange } from "#data/use-idempotent-change.ts";
import { Button, OutsideLinkButton } from "#ui/button.tsx";
import { CopyButton } from "#ui/copy-button.tsx";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { Fact, Facts } from "#ui/facts.tsx";
import { Wallet } from "#ui/icons.ts";
import { sentenceCase } from "#ui/sentence-case.ts";
import { Loaded, Skeleton } from "#ui/states.tsx";
import { UnansweredNotice } from "#ui/unanswered-notice.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";
import { decimalsOf } from "#ui/coin-text.ts";
import type { Asset } from "#account/shared/assets.ts";
import { SettlementModeNotice } from "#account/shared/settlement-mode.tsx";
import { CoinCalculator } from "./coin-calculator.tsx";
import { coinsForUsd } from "./coins-for-usd.ts";
import { noRateText, useRate } from "./current-rate.tsx";
import { paymentUri } from "./payment-uri.ts";

const QrCode = lazy(async () => ({ default: (await import("#ui/qr-code.tsx")).QrCode }));

/** The latest deposit address of an asset, and what an amount of USD is in it. */
export function DepositAddress({
  asset,
  ...calculator
}: { readonly asset: Asset } & CalculatorState) {
  const addresses = useQuery(reads.depositAddresses);
  const make = useIdempotentChange(
    `deposit-address/${asset}`,
    (request: CreateDepositAddressRequest, options) =>
      client.createDepositAddress(request, options),
    [reads.depositAddresses.queryKey],
  );
  return (
    <Loaded query={addresses} isPadded={false} loading={<Skeleton className="h-44 w-full" />}>
      {({ depositAddresses }) => (
        <AddressPanel
          asset={asset}
          // A new address takes precedence over the cached list.
          address={make.data ?? depositAddresses.find((listed) => listed.asset === asset)}
          make={make}
          {...calculator}
        />
      )}
    </Loaded>
  );
}

interface CalculatorState {
  readonly usd: string;
  readonly onUsdChange: (usd: string) => void;
}

/** Only the answer that creates an address has the number of confirmations. */
type KnownAddress = Pick<ListedAddress, "address" | "asset" | "network" | "mode"> &
  Partial<Pick<CreateDepositAddressAnswer, "confirmationsRequired">>;

function AddressPanel({
  asset,
  address,
  make,
  ...calculator
}: {
  readonly asset: Asset;
  readonly address: KnownAddress | undefined;
  readonly make: IdempotentChange<CreateDepositAddressRequest> &
    UseMutationResult<CreateDepositAddressAnswer, Error, CreateDepositAddressRequest>;
} & CalculatorState) {
  const { unanswered } = make;
  return (
    <div className="flex flex-col gap-5">
      {unanswered !== undefined && (
        <UnansweredNotice
          what={`Your request for a new deposit address (${asset})`}
          at={unanswered.at}
          isPending={make.isPending}
          onRetry={() => make.mutate(unanswered.request)}
          onDiscard={make.discard}
        />
      )}
      {make.error !== null && unanswered === undefined && <ErrorNotice error={make.error} />}
      {address !== undefined && <Address address={address} {...calculator} />}
      <div>
        <Button
          variant={address === undefined ? "primary" : "secondary"}
          isPending={make.isPending}
          disabled={unanswered !== undefined}
          onClick={() => make.mutate({ asset })}
        >
          {address === undefined ? `Get ${asset} address` : "Get new address"}
        </Button>
      </div>
    </div>
  );
}

function Address({
  address: made,
  usd,
  onUsdChange,
}: { readonly address: KnownAddress } & CalculatorState) {
  const { address, asset, network, confirmationsRequired, mode } = made;
  const rate = useRate(asset);
  const coins = rate ? coinsForUsd(usd, rate.usd, decimalsOf(asset)) : undefined;
  const uri = paymentUri(made, coins);
  return (
    <div className="flex flex-col gap-5">
      <SettlementModeNotice mode={mode} />
      <div className="flex flex-col gap-6 md:flex-row md:gap-8">
        <Suspense fallback={<Skeleton className="size-44 shrink-0" />}>
          <QrCode text={uri ?? address} label={`QR code of the ${asset} address`} />
        </Suspense>
        <div className="flex min-w-0 grow flex-col gap-5">
          <div className="flex flex-col gap-1">
            <span className="text-sm text-quiet">{asset} deposit address</span>
            <code aria-label="Deposit address" className="font-mono text-base break-all select-all">
              {address}
            </code>
          </div>
          <div className="flex flex-wrap gap-2">
            <CopyButton text={address} what="address" />
            {uri !== undefined && (
              <OutsideLinkButton href={uri} icon={<Wallet aria-hidden className="size-4" />}>
                Open in wallet
              </OutsideLinkButton>
            )}
          </div>
          {rate === null ? (
            <p className="text-sm">{noRateText}</p>
          ) : (
            <CoinCalculator
              asset={asset}
              rate={rate}
              usd={usd}
              coins={coins}
              onChange={onUsdChange}
            />
          )}
          <Facts>
            <Fact name="Network">{sentenceCase(network)}</Fact>
            {confirmationsRequired !== undefined && (
              <Fact name="Confirmations required">{confirmationsRequired}</Fact>
            )}
          </Facts>
        </div>
      </div>
      <p className="max-w-prose text-sm text-quiet">
        Send only {asset} on {sentenceCase(network)}. Any amount is credited in USD, at the exchange
        rate when the payment is confirmed. You can use this address again.
      </p>
    </div>
  );
}
