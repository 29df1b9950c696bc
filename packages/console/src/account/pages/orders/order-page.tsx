import type { ReadCatalogueAnswer } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useDraft } from "#data/use-draft.ts";
import { Button } from "#ui/button.tsx";
import { ChoiceCards } from "#ui/choice-cards.tsx";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { accountRoutes } from "#app/urls.ts";
import { reads } from "#account/data/reads.ts";
import { noFilter, offersIn, readFilter, type CatalogueFilter } from "./catalogue-filter.ts";
import { ConfigurationRows } from "./configuration-rows.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { choose, machinesIn, readChoice, termWords, withDefaults } from "./order-choice.ts";
import type { OrderChoice } from "./order-choice.ts";
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
      <Loaded query={catalogue} isPadded={false}>
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

/** All choices and filters are in the URL. Empty ones are left out. */
function useOrderUrl(catalogue: ReadCatalogueAnswer) {
  const navigate = useNavigate();
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const choice = withDefaults(catalogue, readChoice(search));
  const filter = readFilter(search);
  const go = (next: OrderChoice & CatalogueFilter) => {
    const entries = Object.entries(next).filter(([, value]) => value !== "" && value !== undefined);
    void navigate({
      to: accountRoutes.order,
      search: Object.fromEntries(entries),
      replace: true,
      resetScroll: false,
    });
  };
  return {
    choice,
    filter,
    change: (part: Partial<OrderChoice>) => go({ ...filter, ...choose(catalogue, choice, part) }),
    changeFilter: (part: Partial<CatalogueFilter>) => go({ ...choice, ...filter, ...part }),
  };
}

function Choices({ catalogue }: { readonly catalogue: ReadCatalogueAnswer }) {
  const { choice, filter, change, changeFilter } = useOrderUrl(catalogue);
  const [pastedKey, setPastedKey] = useDraft("order/ssh-key");
  const offered = offersIn(catalogue, choice, filter);
  return (
    <div className="grid items-start gap-6 2xl:grid-cols-[minmax(0,1fr)_21rem]">
      <div className="flex min-w-0 flex-col gap-6">
        <Panel title="Region">
          <ChoiceCards
            name="region"
            label="Region"
            isLabelHidden
            columns="many"
            value={choice.region}
            onChange={(region) => change({ region })}
            choices={catalogue.regions.map(({ id, name, country }) => {
              const free = machinesIn(catalogue, id);
              return {
                value: id,
                label: name,
                detail: (
                  <span className="flex flex-col">
                    <span>{countryName(country)}</span>
                    <span>{free === 0 ? "None available" : `${free} available`}</span>
                  </span>
                ),
                isDisabled: free === 0,
              };
            })}
          />
        </Panel>
        <Panel title="Configuration">
          <div className="flex flex-col gap-5">
            <ChoiceCards
              name="term"
              label="Term"
              columns="pair"
              value={choice.term}
              onChange={(term) => change({ term })}
              choices={[
                { value: "monthly", label: "Monthly", detail: termWords.monthly.days },
                { value: "weekly", label: "Weekly", detail: termWords.weekly.days },
              ]}
            />
            <FilterBar
              catalogue={catalogue}
              filter={filter}
              term={choice.term}
              onChange={changeFilter}
            />
            {offered.length === 0 ? (
              <EmptyState
                title="No matches"
                action={<Button onClick={() => changeFilter(noFilter)}>Clear filters</Button>}
              >
                Change or clear the filters, or choose another region.
              </EmptyState>
            ) : (
              <ConfigurationRows
                offered={offered}
                catalogue={catalogue}
                term={choice.term}
                value={choice.config}
                onChange={(config) => change({ config })}
              />
            )}
          </div>
        </Panel>
        <Panel title="Quantity">
          <QuantityField
            value={choice.quantity}
            discounts={catalogue.discounts}
            onChange={(quantity) => change({ quantity })}
          />
        </Panel>
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

const countries = new Intl.DisplayNames("en", { type: "region" });

/** "DE" as "Germany". Operators may also write the name itself. */
function countryName(country: string): string {
  return /^[A-Z]{2}$/.test(country) ? (countries.of(country) ?? country) : country;
}
