import { useQuery } from "@tanstack/react-query";
import { UnsettledNotice } from "#ui/unsettled-notice.tsx";
import { reads } from "#account/data/reads.ts";
import { catalogueNames } from "#data/catalogue-names.ts";
import type { usePlaceOrder } from "./use-place-order.ts";

/** An order of this tab whose answer never came, until it is settled. */
export function UnsettledOrder({ order }: { readonly order: ReturnType<typeof usePlaceOrder> }) {
  const { data: catalogue } = useQuery(reads.catalogue);
  const { unsettled } = order;
  if (unsettled === undefined) return null;
  const { quantity, configId } = unsettled.request;
  return (
    <UnsettledNotice
      what={`An order of ${quantity} × ${catalogueNames(catalogue).configuration(configId)}`}
      at={unsettled.at}
      isPending={order.isPending}
      onResend={() => order.mutate(unsettled.request)}
      onGiveUp={order.giveUp}
    />
  );
}
