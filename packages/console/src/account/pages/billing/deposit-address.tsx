import type { CreateDepositAddressAnswer, CreateDepositAddressRequest } from "@ironlease/client";
import { lazy, Suspense, useState } from "react";
import { session } from "../../../data/session.ts";
import { useStore } from "../../../data/store.ts";
import { tabStorage } from "../../../data/tab-storage.ts";
import { useOnce } from "../../../data/use-once.ts";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { ErrorNotice } from "../../../ui/error-notice.tsx";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { Skeleton } from "../../../ui/states.tsx";
import { UnsettledNotice } from "../../../ui/unsettled-notice.tsx";
import { client } from "../../client.ts";
import { assets, type Asset } from "./assets.ts";
import { SettlementModeNotice } from "./settlement-mode.tsx";

const QrCode = lazy(async () => ({ default: (await import("../../../ui/qr-code.tsx")).QrCode }));

/** The address to pay to. The last one of this tab is shown again instead of making another. */
export function DepositAddress({ asset }: { readonly asset: Asset }) {
  const username = useStore(session).username ?? "";
  const place = `ironlease.deposit-address/${username}/${asset}`;
  const [address, setAddress] = useState(() => readAddress(tabStorage.getItem(place)));
  const make = useOnce(
    `deposit-address/${asset}`,
    async (request: CreateDepositAddressRequest, options) => {
      const made = await client.createDepositAddress(request, options);
      tabStorage.setItem(place, JSON.stringify(made));
      setAddress(made);
      return made;
    },
  );
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

function Address({ address: made }: { readonly address: CreateDepositAddressAnswer }) {
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
            <Fact name="Confirmations needed">{confirmationsRequired}</Fact>
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

function readAddress(text: string | null): CreateDepositAddressAnswer | undefined {
  if (text === null) return undefined;
  try {
    return JSON.parse(text) as CreateDepositAddressAnswer;
  } catch {
    return undefined;
  }
}
