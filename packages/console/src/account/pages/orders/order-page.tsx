import type { ReadCatalogueAnswer } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useDraft } from "#data/use-draft.ts";
import { Button } from "#ui/button.tsx";
import { ChoiceCards } from "#ui/choice-cards.tsx";
import { moneyText } from "#ui/money-text.ts";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { accountRoutes } from "#app/urls.ts";
import { reads } from "#account/data/reads.ts";
import { filterCatalogue, noFilter } from "./catalogue-filter.ts";
import { ConfigurationCards } from "./configuration-cards.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { choose, priceOf, readChoice, termWords, type OrderChoice } from "./order-choice.ts";
import { OrderSummary } from "./order-summary.tsx";
import { QuantityField } from "./quantity-field.tsx";
import { SshKeyChoice } from "./ssh-key-choice.tsx";
import { UnansweredOrder } from "./unanswered-order.tsx";
import { usePlaceOrder } from "./use-place-order.ts";

export function OrderPage() {
  const catalogue = useQuery(reads.catalogue);
  const order = usePlaceOrder();
  return (
    <Page
      title="Order servers"
      lead="Dedicated physical servers. You are charged when you place the order."
    >
      <UnansweredOrder order={order} />
      <Loaded query={catalogue}>
        {(data) =>
          data.configurations.length === 0 ? (
            <Panel>
              <EmptyState title="No servers available">
                The operator has not published a catalogue yet.
              </EmptyState>
            </Panel>
          ) : (
            <Choices catalogue={data} />
          )
        }
      </Loaded>
    </Page>
  );
}

function Choices({ catalogue }: { readonly catalogue: ReadCatalogueAnswer }) {
  const navigate = useNavigate();
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const [filter, setFilter] = useState(noFilter);
  const [pastedKey, setPastedKey] = useDraft("order/ssh-key");
  const [firstSystem] = catalogue.operatingSystems;
  const requested = readChoice(search);
  const choice: OrderChoice = { ...requested, os: requested.os ?? firstSystem?.id };
  const change = (part: Partial<OrderChoice>) => {
    const next = choose(catalogue, choice, part);
    void navigate({
      to: accountRoutes.order,
      search: { ...next },
      replace: true,
      resetScroll: false,
    });
  };
  const found = filterCatalogue(catalogue, filter, choice.term);
  const configuration = catalogue.configurations.find(({ id }) => id === choice.config);
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
      <div className="flex min-w-0 flex-col gap-6">
        <Panel
          title="Term"
          description="How long each payment lasts. You can turn off renewal at any time."
        >
          <ChoiceCards
            name="term"
            label="Term"
            isLabelHidden
            columns="pair"
            value={choice.term}
            onChange={(term) => change({ term })}
            choices={[
              { value: "monthly", label: "Monthly", detail: termWords.monthly.days },
              { value: "weekly", label: "Weekly", detail: termWords.weekly.days },
            ]}
          />
        </Panel>
        <Panel title="Configuration">
          <div className="flex flex-col gap-6">
            <FilterBar
              catalogue={catalogue}
              filter={filter}
              term={choice.term}
              onChange={(next) => {
                setFilter(next);
                if (next.region !== "" && next.region !== choice.region)
                  change({ region: next.region });
              }}
            />
            {found.length === 0 ? (
              <EmptyState
                title="No matches"
                action={<Button onClick={() => setFilter(noFilter)}>Clear filters</Button>}
              >
                Change or clear the filters.
              </EmptyState>
            ) : (
              <ConfigurationCards
                configurations={found}
                regionId={filter.region}
                term={choice.term}
                value={choice.config}
                onChange={(config) => change({ config })}
              />
            )}
          </div>
        </Panel>
        {configuration !== undefined && (
          <Panel title="Region" description="Available locations">
            <ChoiceCards
              name="region"
              label="Region"
              isLabelHidden
              columns="many"
              value={choice.region}
              onChange={(region) => change({ region })}
              choices={configuration.offers.map((offer) => ({
                value: offer.regionId,
                label:
                  catalogue.regions.find(({ id }) => id === offer.regionId)?.name ?? offer.regionId,
                detail:
                  offer.available === 0
                    ? "None available"
                    : `${moneyText(priceOf(offer, choice.term))}, ${offer.available} available`,
                isDisabled: offer.available === 0,
              }))}
            />
          </Panel>
        )}
        <Panel title="Operating system">
          <ChoiceCards
            name="os"
            label="Operating system"
            isLabelHidden
            columns="many"
            value={choice.os}
            onChange={(os) => change({ os })}
            choices={catalogue.operatingSystems.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </Panel>
        <Panel title="Quantity">
          <QuantityField
            value={choice.quantity}
            discounts={catalogue.discounts}
            onChange={(quantity) => change({ quantity })}
          />
        </Panel>
        <Panel title="SSH key" description="Installed on each server at delivery">
          <SshKeyChoice
            value={choice.ssh}
            pastedKey={pastedKey}
            onChange={(ssh) => change({ ssh })}
            onPaste={setPastedKey}
          />
        </Panel>
      </div>
      <OrderSummary catalogue={catalogue} choice={choice} />
    </div>
  );
}
