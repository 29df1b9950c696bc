import type {
  CreateDepositAddressAnswer,
  CreateDepositAddressRequest,
  DepositAddress as ListedAddress,
} from "@ironlease/client";
import { useQuery, type UseMutationResult } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { useIdempotentChange, type IdempotentChange } from "#data/use-idempotent-change.ts";
import { Button } from "#ui/button.tsx";
import { CopyButton } from "#ui/copy-button.tsx";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { Fact, Facts } from "#ui/facts.tsx";
import { sentenceCase } from "#ui/sentence-case.ts";
import { Loaded, Skeleton } from "#ui/states.tsx";
import { UnansweredNotice } from "#ui/unanswered-notice.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";
import type { Asset } from "#account/shared/assets.ts";
import { SettlementModeNotice } from "#account/shared/settlement-mode.tsx";

const QrCode = lazy(async () => ({ default: (await import("#ui/qr-code.tsx")).QrCode }));

/** The latest deposit address of an asset. */
export function DepositAddress({ asset }: { readonly asset: Asset }) {
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
        />
      )}
    </Loaded>
  );
}

/** Only the answer that creates an address has the number of confirmations. */
type KnownAddress = Pick<ListedAddress, "address" | "asset" | "network" | "mode"> &
  Partial<Pick<CreateDepositAddressAnswer, "confirmationsRequired">>;

function AddressPanel({
  asset,
  address,
  make,
}: {
  readonly asset: Asset;
  readonly address: KnownAddress | undefined;
  readonly make: IdempotentChange<CreateDepositAddressRequest> &
    UseMutationResult<CreateDepositAddressAnswer, Error, CreateDepositAddressRequest>;
}) {
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
      {address !== undefined && <Address address={address} />}
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

function Address({ address: made }: { readonly address: KnownAddress }) {
  const { address, asset, network, confirmationsRequired, mode } = made;
  return (
    <div className="flex flex-col gap-5">
      <SettlementModeNotice mode={mode} />
      <div className="flex flex-col gap-6 sm:flex-row">
        <Suspense fallback={<Skeleton className="size-44" />}>
          <QrCode text={address} label={`QR code of the ${asset} address`} />
        </Suspense>
        <div className="flex min-w-0 flex-col gap-4">
          <div className="flex flex-col gap-1">
            <span className="text-sm text-quiet">{asset} deposit address</span>
            <code aria-label="Deposit address" className="font-mono text-base break-all select-all">
              {address}
            </code>
          </div>
          <div>
            <CopyButton text={address} what="address" />
          </div>
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
