import type { Order, Server } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { LinkButton } from "#ui/button.tsx";
import { Fact, Facts } from "#ui/facts.tsx";
import { Money } from "#ui/money.tsx";
import { Notice } from "#ui/notice.tsx";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { Time } from "#ui/time.tsx";
import { IdText } from "#ui/id-text.tsx";
import { accountRoutes, urlOf } from "#app/urls.ts";
import { givenName, offerName } from "#account/shared/server-name.ts";
import { reads } from "#account/data/reads.ts";
import { catalogueNames, type CatalogueNames } from "#data/catalogue-names.ts";
import { ServerStateBadge } from "#account/shared/server-states.tsx";

/** Has its own URL, so that a reload does not order again. */
export function PlacedPage() {
  const { id }: { id?: string } = useParams({ strict: false });
  const orders = useQuery(reads.orders);
  return (
    <Page
      title="Order placed"
      crumbs={[{ to: accountRoutes.servers, label: "Servers" }]}
      actions={<LinkButton to={accountRoutes.servers}>View all servers</LinkButton>}
    >
      <Loaded query={orders} isPadded={false}>
        {({ orders: list }) => {
          const order = list.find((candidate) => candidate.id === id);
          return order === undefined ? (
            <Panel>
              <EmptyState title="Order not found">
                Only your latest 100 orders are shown.
              </EmptyState>
            </Panel>
          ) : (
            <OrderDetails order={order} />
          );
        }}
      </Loaded>
    </Page>
  );
}

function OrderDetails({ order }: { readonly order: Order }) {
  const servers = useQuery(reads.servers);
  const { data: catalogue } = useQuery(reads.catalogue);
  const names = catalogueNames(catalogue);
  return (
    <>
      <Notice tone="good" title="Accepted and paid">
        <p>
          Your machines are reserved. An operator prepares and delivers them. The paid term starts
          at delivery.
        </p>
      </Notice>
      <Panel title="Order details">
        <Facts>
          <Fact name="Servers">
            {order.quantity} × {names.configuration(order.configId)}
          </Fact>
          <Fact name="Region">{names.region(order.regionId)}</Fact>
          <Fact name="Operating system">{names.operatingSystem(order.osId)}</Fact>
          <Fact name="Charged">
            <Money usd={order.totalUsd} />
          </Fact>
          <Fact name="Placed">
            <Time at={order.createdAt} />
          </Fact>
          <Fact name="Order id" isWide>
            <IdText id={order.id} what="order id" />
          </Fact>
        </Facts>
      </Panel>
      <Panel title="Servers" description="Current state of each server">
        <Loaded query={servers} isPadded={false}>
          {({ servers: list }) => (
            <ul className="flex flex-col divide-y divide-line">
              {order.serverIds.map((serverId, index) => (
                <ServerLine
                  key={serverId}
                  id={serverId}
                  server={list.find((candidate) => candidate.id === serverId)}
                  ordered={orderedName(order, index, names)}
                />
              ))}
            </ul>
          )}
        </Loaded>
      </Panel>
    </>
  );
}

/** What was ordered: "Metal S in Frankfurt (1 of 3)". */
function orderedName(
  { configId, regionId, quantity }: Order,
  index: number,
  names: CatalogueNames,
): string {
  const name = offerName(configId, regionId, names);
  return quantity === 1 ? name : `${name} (${index + 1} of ${quantity})`;
}

function ServerLine({
  id,
  server,
  ordered,
}: {
  readonly id: string;
  readonly server: Server | undefined;
  readonly ordered: string;
}) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-3 py-3 text-sm first:pt-0 last:pb-0">
      {server === undefined ? (
        <>
          {ordered}
          <ServerStateBadge state="TERMINATED" />
        </>
      ) : (
        <>
          <TextLink to={urlOf(accountRoutes.server, { id })} className="wrap-anywhere">
            {givenName(server) || ordered}
          </TextLink>
          <ServerStateBadge state={server.state} />
        </>
      )}
    </li>
  );
}
