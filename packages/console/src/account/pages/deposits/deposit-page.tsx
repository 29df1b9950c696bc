import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { ChoiceCards } from "#ui/choice-cards.tsx";
import { History } from "#ui/icons.ts";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { accountRoutes } from "#app/urls.ts";
import { reads } from "#account/data/reads.ts";
import { assetOrder, assets, type Asset } from "#account/shared/assets.ts";
import { BillingFrame } from "#account/shared/billing-frame.tsx";
import { DepositAddress } from "./deposit-address.tsx";
import { DepositTimeline } from "./deposit-timeline.tsx";

export function DepositPage() {
  const navigate = useNavigate();
  const { asset: asked }: { asset?: string } = useSearch({ strict: false });
  const asset = assetOrder.find((candidate) => candidate === asked);
  return (
    <BillingFrame title="Deposit" lead="Pay in a coin of your choice; the balance is in USD.">
      <Panel title="Choose what to pay with">
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
              detail:
                assets[value].name === assets[value].on
                  ? assets[value].name
                  : `${assets[value].name} on ${assets[value].on}`,
            }))}
          />
          {asset !== undefined && <DepositAddress key={asset} asset={asset} />}
        </div>
      </Panel>
      <Deposits />
    </BillingFrame>
  );
}

function Deposits() {
  const deposits = useQuery(reads.deposits);
  return (
    <Panel
      title="Your deposits"
      description="The latest 100, looked at again every few seconds."
      isFlush
    >
      <Loaded query={deposits}>
        {({ deposits: list }) =>
          list.length === 0 ? (
            <EmptyState icon={<History className="size-6" />} title="None has been seen yet">
              A payment appears here when it is first seen, before it is credited.
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
