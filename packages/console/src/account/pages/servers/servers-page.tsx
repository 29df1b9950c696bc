import type { Server } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { catalogueNames } from "#data/catalogue-names.ts";
import { LinkButton } from "#ui/button.tsx";
import { CheckBox } from "#ui/field.tsx";
import { useFilters } from "#ui/filters.ts";
import { Plus, Server as ServerIcon } from "#ui/icons.ts";
import { Page } from "#ui/page.tsx";
import { CursorPager } from "#ui/pager.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { Table } from "#ui/table.tsx";
import { useNow } from "#ui/time.tsx";
import { accountRoutes } from "#app/urls.ts";
import { reads } from "#account/data/reads.ts";
import { BulkBar } from "./bulk-bar.tsx";
import { PastServers } from "./past-servers.tsx";
import { serverColumns } from "./server-columns.tsx";
import { pageRequest, splitPage } from "./server-page-request.ts";
import { ServersFilters } from "./servers-filters.tsx";

export function ServersPage() {
  const filters = useFilters();
  return (
    <Page
      title="Servers"
      actions={
        // The sidebar of wide screens has it.
        <div className="lg:hidden">
          <LinkButton
            to={accountRoutes.order}
            variant="primary"
            icon={<Plus aria-hidden className="size-4" />}
          >
            Order servers
          </LinkButton>
        </div>
      }
    >
      <Panel isFlush>
        <ServersFilters />
        {filters.get("state") === "TERMINATED" ? (
          <PastServers query={filters.get("query")} />
        ) : (
          <CurrentServers />
        )}
      </Panel>
    </Page>
  );
}

function CurrentServers() {
  const filters = useFilters();
  const servers = useQuery(reads.serverPage(pageRequest(filters.get)));
  const { data: catalogue } = useQuery(reads.catalogue);
  const [selected, setSelected] = useState<readonly Server[]>([]);
  const now = useNow(60_000);
  const has = (id: string) => selected.some((server) => server.id === id);
  const toggle = (server: Server) =>
    setSelected((now) =>
      now.some(({ id }) => id === server.id)
        ? now.filter(({ id }) => id !== server.id)
        : [...now, server],
    );
  return (
    <>
      <Loaded query={servers}>
        {({ servers: list }) => {
          if (list.length === 0) return <Nothing />;
          const { shown, next } = splitPage(list);
          return (
            <>
              <div className="border-t border-line px-5 py-2.5 sm:px-6">
                <CheckBox
                  label="Select all on this page"
                  isChecked={shown.every(({ id }) => has(id))}
                  isPartial={shown.some(({ id }) => has(id)) && !shown.every(({ id }) => has(id))}
                  onChange={(isChecked) => {
                    const others = selected.filter(({ id }) => !shown.some((one) => one.id === id));
                    setSelected(isChecked ? [...others, ...shown] : others);
                  }}
                />
              </div>
              <Table
                label="Servers"
                isSticky
                columns={serverColumns(catalogueNames(catalogue), { has, toggle }, now)}
                rows={shown}
                keyOf={({ id }) => id}
              />
              <CursorPager next={next} />
            </>
          );
        }}
      </Loaded>
      <BulkBar selected={selected} onSelect={setSelected} />
    </>
  );
}

function Nothing() {
  const { search } = useFilters();
  if (Object.values(search).some((value) => value !== undefined && value !== "")) {
    return (
      <EmptyState
        title="No servers match"
        action={
          <LinkButton to="." search={{}}>
            Clear filters
          </LinkButton>
        }
      />
    );
  }
  return (
    <EmptyState
      icon={<ServerIcon className="size-6" />}
      title="No servers yet"
      action={<LinkButton to={accountRoutes.order}>Browse servers</LinkButton>}
    >
      Servers appear here as soon as you have paid for them.
    </EmptyState>
  );
}
