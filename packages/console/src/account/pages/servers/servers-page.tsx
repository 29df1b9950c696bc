import type { Server } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { Plus, Server as ServerIcon } from "#ui/icons.ts";
import { LinkButton } from "#ui/button.tsx";
import { Money } from "#ui/money.tsx";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { Table, type Column } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { accountRoutes, urlOf } from "#app/urls.ts";
import { reads } from "#account/data/reads.ts";
import { catalogueNames, type CatalogueNames } from "#data/catalogue-names.ts";
import { PaidThrough } from "./paid-through.tsx";
import { ServerStateBadge } from "#account/shared/server-states.tsx";
import { renewalUsd } from "#account/shared/renewal-price.ts";

export function ServersPage() {
  const servers = useQuery(reads.servers);
  const { data: catalogue } = useQuery(reads.catalogue);
  return (
    <Page
      title="Servers"
      actions={
        <LinkButton
          to={accountRoutes.order}
          variant="primary"
          icon={<Plus aria-hidden className="size-4" />}
        >
          Order servers
        </LinkButton>
      }
    >
      <Panel isFlush>
        <Loaded query={servers}>
          {({ servers: list }) =>
            list.length === 0 ? (
              <EmptyState
                icon={<ServerIcon className="size-6" />}
                title="No servers yet"
                action={<LinkButton to={accountRoutes.order}>Browse servers</LinkButton>}
              >
                Servers appear here as soon as you have paid for them.
              </EmptyState>
            ) : (
              <Table
                label="Servers"
                columns={columnsWith(catalogueNames(catalogue))}
                rows={list}
                keyOf={({ id }) => id}
              />
            )
          }
        </Loaded>
      </Panel>
    </Page>
  );
}

function columnsWith(names: CatalogueNames): readonly Column<Server>[] {
  return [
    {
      title: "Server",
      isHeading: true,
      isFreeText: true,
      cell: ({ id, label, hostname, configId }) => (
        <span className="flex flex-col">
          <TextLink to={urlOf(accountRoutes.server, { id })}>
            {label || (hostname ?? names.configuration(configId))}
          </TextLink>
          {label !== "" && hostname !== null && (
            <span className="text-xs font-normal wrap-anywhere text-quiet">{hostname}</span>
          )}
          <span className="text-xs font-normal text-quiet">
            {hostname === null ? "Hostname assigned at delivery" : names.configuration(configId)}
          </span>
        </span>
      ),
    },
    {
      title: "State",
      cell: ({ state, suspension }) => (
        <span className="flex flex-col items-start gap-1">
          <ServerStateBadge state={state} />
          {suspension !== undefined && suspension.reason !== "" && (
            <span className="line-clamp-2 max-w-60 text-xs wrap-anywhere text-quiet">
              {suspension.reason}
            </span>
          )}
        </span>
      ),
    },
    { title: "Region", cell: ({ region }) => names.region(region) },
    { title: "Paid through", cell: (server) => <PaidThrough server={server} /> },
    { title: "Renewal", cell: ({ autoRenew }) => (autoRenew ? "Automatic" : "Off") },
    {
      title: "Price",
      isNumber: true,
      cell: ({ term, ...server }) => (
        <span className="whitespace-nowrap">
          <Money usd={renewalUsd(server)} />
          <span className="text-quiet"> / {term === "weekly" ? "week" : "month"}</span>
        </span>
      ),
    },
  ];
}
