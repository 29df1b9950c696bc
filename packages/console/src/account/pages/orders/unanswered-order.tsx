import { useQuery } from "@tanstack/react-query";
import { UnansweredNotice } from "#ui/unanswered-notice.tsx";
import { reads } from "#account/data/reads.ts";
import { catalogueNames } from "#data/catalogue-names.ts";
import type { usePlaceOrder } from "./use-place-order.ts";

/** An order sent from this tab whose answer was lost. */
export function UnansweredOrder({ order }: { readonly order: ReturnType<typeof usePlaceOrder> }) {
  const { data: catalogue } = useQuery(reads.catalogue);
  const { unanswered } = order;
  if (unanswered === undefined) return null;
  const { quantity, configId } = unanswered.request;
  return (
    <UnansweredNotice
      what={`Your order of ${quantity} × ${catalogueNames(catalogue).configuration(configId)}`}
      at={unanswered.at}
      isCharge
      isPending={order.isPending}
      onRetry={() => order.mutate(unanswered.request)}
      onDiscard={order.discard}
    />
  );
}
