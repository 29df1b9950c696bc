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
import { UnsettledOrder } from "./unsettled-order.tsx";
import { usePlaceOrder } from "./use-place-order.ts";

export function OrderPage() {
  const catalogue = useQuery(reads.catalogue);
  const order = usePlaceOrder();
  return (
    <Page
      title="Order servers"
      lead="Whole physical machines. The price is the service's own, and it is charged when you place the order."
    >
      <UnsettledOrder order={order} />
      <Loaded query={catalogue}>
        {(data) =>
          data.configurations.length === 0 ? (
            <Panel>
              <EmptyState title="There is nothing to rent at the moment">
                The operator has not put a catalogue in force.
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
  const asked = readChoice(search);
  const choice: OrderChoice = { ...asked, os: asked.os ?? firstSystem?.id };
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
          description="How long one payment lasts. Renewal can be switched off at any time."
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
                title="Nothing fits"
                action={<Button onClick={() => setFilter(noFilter)}>Show everything</Button>}
              >
                Ask for less, or for another region.
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
          <Panel title="Region" description={`Where ${configuration.name} stands.`}>
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
                    ? "None free"
                    : `${moneyText(priceOf(offer, choice.term))}, ${offer.available} free`,
                isDisabled: offer.available === 0,
              }))}
            />
          </Panel>
        )}
        <Panel title="System">
          <ChoiceCards
            name="os"
            label="System"
            isLabelHidden
            columns="many"
            value={choice.os}
            onChange={(os) => change({ os })}
            choices={catalogue.operatingSystems.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </Panel>
        <Panel title="How many">
          <QuantityField
            value={choice.quantity}
            discounts={catalogue.discounts}
            onChange={(quantity) => change({ quantity })}
          />
        </Panel>
        <Panel title="SSH key" description="Put on each machine at delivery.">
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
