import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { ChoiceCards } from "#ui/choice-cards.tsx";
import { TextField } from "#ui/field.tsx";
import { decimalsOf } from "#ui/coin-text.ts";
import { History } from "#ui/icons.ts";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { reads } from "#account/data/reads.ts";
import { assetName, assetOrder, type Asset } from "#account/shared/assets.ts";
import { BillingFrame } from "#account/shared/billing-frame.tsx";
import { AddressList } from "./address-list.tsx";
import { AddressStep } from "./address-step.tsx";
import { coinsForUsd } from "./coins-for-usd.ts";
import { DepositTimeline } from "./deposit-timeline.tsx";
import { useUsdAmount } from "./usd-amount.ts";

/** The first step of a deposit: an amount and a currency. The address has its own page. */
export function DepositPage() {
  return (
    <BillingFrame
      title="Deposit"
      lead="Pay in the cryptocurrency of your choice. Your balance is in USD."
    >
      <StartPanel />
      <Deposits />
      <AddressList />
    </BillingFrame>
  );
}

function StartPanel() {
  const navigate = useNavigate();
  const { asset: requested }: { asset?: string } = useSearch({ strict: false });
  const asset = assetOrder.find((candidate) => candidate === requested);
  const { usd, search, setUsd } = useUsdAmount();
  const { data: rates } = useQuery(reads.rates);
  const coinsOf = (one: Asset) => {
    const rate = rates?.rates.find((candidate) => candidate.asset === one);
    return rate && coinsForUsd(usd, rate.usd, decimalsOf(one));
  };
  return (
    <Panel title="Choose a currency">
      <div className="flex flex-col gap-6">
        <div className="max-w-64">
          <TextField
            name="usd"
            label="Amount in USD (optional)"
            prefix="$"
            inputMode="decimal"
            placeholder="Any amount"
            className="figures"
            value={usd}
            onChange={setUsd}
            autoComplete="off"
          />
        </div>
        <ChoiceCards<Asset>
          name="asset"
          label="Asset"
          isLabelHidden
          columns="many"
          value={asset}
          onChange={(next) =>
            void navigate({
              to: ".",
              search: { ...search, asset: next },
              replace: true,
              resetScroll: false,
            })
          }
          choices={assetOrder.map((value) => {
            const coins = coinsOf(value);
            return {
              value,
              label: value,
              detail: (
                <span className="flex flex-col">
                  <span>{assetName(value)}</span>
                  {coins !== undefined && <span className="figures break-all">{coins}</span>}
                </span>
              ),
            };
          })}
        />
        {asset !== undefined && <AddressStep key={asset} asset={asset} />}
      </div>
    </Panel>
  );
}

function Deposits() {
  const deposits = useQuery(reads.deposits);
  return (
    <Panel title="Your deposits" description="The latest 100" isFlush>
      <Loaded query={deposits}>
        {({ deposits: list }) =>
          list.length === 0 ? (
            <EmptyState icon={<History className="size-6" />} title="No deposits yet">
              A payment appears here as soon as the service sees it, before it is credited.
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
