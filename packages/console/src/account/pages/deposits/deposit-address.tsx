import type {
  CreateDepositAddressAnswer,
  CreateDepositAddressRequest,
  DepositAddress as ListedAddress,
} from "@ironlease/client";
import { useQuery, type UseMutationResult } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { useOnce, type Once } from "#data/use-once.ts";
import { Button } from "#ui/button.tsx";
import { CopyButton } from "#ui/copy-button.tsx";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { Fact, Facts } from "#ui/facts.tsx";
import { Loaded, Skeleton } from "#ui/states.tsx";
import { UnsettledNotice } from "#ui/unsettled-notice.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";
import { assets, type Asset } from "#account/shared/assets.ts";
import { SettlementModeNotice } from "#account/shared/settlement-mode.tsx";

const QrCode = lazy(async () => ({ default: (await import("#ui/qr-code.tsx")).QrCode }));

/** The address to pay to: the latest of this asset, until another one is asked for. */
export function DepositAddress({ asset }: { readonly asset: Asset }) {
  const addresses = useQuery(reads.depositAddresses);
  const make = useOnce(
    `deposit-address/${asset}`,
    (request: CreateDepositAddressRequest, options) =>
      client.createDepositAddress(request, options),
    [reads.depositAddresses.queryKey],
  );
  return (
    <Loaded query={addresses} isPadded={false} loading={<Skeleton className="h-44 w-full" />}>
      {({ depositAddresses }) => (
        <Chosen
          asset={asset}
          // What has just been made goes before what was listed earlier.
          address={make.data ?? depositAddresses.find((listed) => listed.asset === asset)}
          make={make}
        />
      )}
    </Loaded>
  );
}

/** How many confirmations it takes is told when it is made. */
type KnownAddress = Pick<ListedAddress, "address" | "asset" | "network" | "mode"> &
  Partial<Pick<CreateDepositAddressAnswer, "confirmationsRequired">>;

function Chosen({
  asset,
  address,
  make,
}: {
  readonly asset: Asset;
  readonly address: KnownAddress | undefined;
  readonly make: Once<CreateDepositAddressRequest> &
    UseMutationResult<CreateDepositAddressAnswer, Error, CreateDepositAddressRequest>;
}) {
  const { unsettled } = make;
  return (
    <div className="flex flex-col gap-5">
      {unsettled !== undefined && (
        <UnsettledNotice
          what={`The request for a ${asset} address`}
          at={unsettled.at}
          isPending={make.isPending}
          onResend={() => make.mutate(unsettled.request)}
          onGiveUp={make.giveUp}
        />
      )}
      {make.error !== null && unsettled === undefined && <ErrorNotice error={make.error} />}
      {address !== undefined && <Address address={address} />}
      <div>
        <Button
          look={address === undefined ? "primary" : "secondary"}
          isPending={make.isPending}
          disabled={unsettled !== undefined}
          onClick={() => make.mutate({ asset })}
        >
          {address === undefined ? `Get a ${asset} address` : "Get another address"}
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
            <span className="text-sm text-quiet">{assets[asset].name} address</span>
            <code aria-label="Deposit address" className="font-mono text-base break-all select-all">
              {address}
            </code>
          </div>
          <div>
            <CopyButton text={address} what="address" />
          </div>
          <Facts>
            <Fact name="Network">{network}</Fact>
            {confirmationsRequired !== undefined && (
              <Fact name="Confirmations needed">{confirmationsRequired}</Fact>
            )}
          </Facts>
        </div>
      </div>
      <p className="max-w-prose text-sm text-quiet">
        Send only {asset} on {network}. Any amount, at any time, is credited in USD at the rate of
        the moment when it has its {confirmationsRequired} confirmations. The address stays yours.
      </p>
    </div>
  );
}
