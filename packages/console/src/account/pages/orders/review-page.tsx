import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { LinkButton } from "#ui/button.tsx";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { accountRoutes } from "#app/urls.ts";
import { reads } from "#account/data/reads.ts";
import { chosenFrom, readChoice } from "./order-choice.ts";
import { OrderReview } from "./order-review.tsx";
import { usePlaceOrder } from "./use-place-order.ts";

/** The last step before the order is placed. */
export function ReviewPage() {
  const search: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const catalogue = useQuery(reads.catalogue);
  const choice = readChoice(search);
  const order = usePlaceOrder();
  return (
    <Page
      title="Review your order"
      crumbs={[{ to: accountRoutes.order, label: "Order servers" }]}
      lead={
        order.unanswered === undefined && !order.isPending && "You have not placed this order yet."
      }
    >
      <Loaded query={catalogue} isPadded={false}>
        {(data) => {
          const chosen = chosenFrom(data, choice);
          return chosen === undefined ? (
            <Panel>
              <EmptyState
                title="This order is incomplete"
                action={<LinkButton to={accountRoutes.order}>Start over</LinkButton>}
              >
                An option is missing or no longer in the catalogue.
              </EmptyState>
            </Panel>
          ) : (
            <OrderReview order={order} choice={choice} chosen={chosen} />
          );
        }}
      </Loaded>
    </Page>
  );
}
