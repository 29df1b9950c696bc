import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { ChoiceCards } from "#ui/choice-cards.tsx";
import { History } from "#ui/icons.ts";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { accountRoutes } from "#app/urls.ts";
import { reads } from "#account/data/reads.ts";
import { assetName, assetOrder, type Asset } from "#account/shared/assets.ts";
import { BillingFrame } from "#account/shared/billing-frame.tsx";
import { AddressList } from "./address-list.tsx";
import { DepositAddress } from "./deposit-address.tsx";
import { DepositTimeline } from "./deposit-timeline.tsx";

export function DepositPage() {
  const navigate = useNavigate();
  const { asset: requested }: { asset?: string } = useSearch({ strict: false });
  const asset = assetOrder.find((candidate) => candidate === requested);
  // Kept while the customer compares currencies.
  const [usd, setUsd] = useState("");
  return (
    <BillingFrame
      title="Deposit"
      lead="Pay in the cryptocurrency of your choice. Your balance is in USD."
    >
      <Panel title="Choose a currency">
        <div className="flex flex-col gap-6">
          <ChoiceCards<Asset>
            name="asset"
            label="Asset"
            isLabelHidden
            columns="short"
            value={asset}
            onChange={(next) =>
              void navigate({
                to: accountRoutes.deposit,
                search: { asset: next },
                replace: true,
                resetScroll: false,
              })
            }
            choices={assetOrder.map((value) => ({
              value,
              label: value,
              detail: assetName(value),
            }))}
          />
          {asset !== undefined && (
            <DepositAddress key={asset} asset={asset} usd={usd} onUsdChange={setUsd} />
          )}
        </div>
      </Panel>
      <Deposits />
      <AddressList />
    </BillingFrame>
  );
}

function Deposits() {
  const deposits = useQuery(reads.deposits);
  return (
    <Panel title="Your deposits" description="The latest 100, updated every few seconds" isFlush>
      <Loaded query={deposits}>
        {({ deposits: list }) =>
          list.length === 0 ? (
            <EmptyState icon={<History className="size-6" />} title="No deposits yet">
              A payment appears here as soon as it is seen, before it is credited.
            </EmptyState>
          ) : (
            <ul aria-label="Deposits" className="divide-y divide-line border-t border-line">
              {list.map((deposit) => (
                <DepositTimeline key={deposit.id} deposit={deposit} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  );
}
