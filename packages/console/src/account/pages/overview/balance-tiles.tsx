import type { ListServersAnswer, ReadLedgerAnswer, Server } from "@ironlease/client";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Money } from "#ui/money.tsx";
import { Skeleton } from "#ui/states.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { Time, useNow } from "#ui/time.tsx";
import { accountRoutes, urlOf } from "#app/urls.ts";
import { serverName } from "#account/shared/server-name.ts";
import {
  serverStateLabels,
  ServerStateBadge,
  type ServerState,
} from "#account/shared/server-states.tsx";
import { coverage } from "./renewals.ts";
import { renewalUsd } from "#account/shared/renewal-price.ts";

/** The key figures of the account. */
export function BalanceTiles({
  ledger,
  servers,
}: {
  readonly ledger: UseQueryResult<ReadLedgerAnswer>;
  readonly servers: UseQueryResult<ListServersAnswer>;
}) {
  const money = ledger.data;
  const list = servers.data?.servers;
  return (
    <dl className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      <Tile name="Balance" note="Available for orders and renewals">
        {money === undefined ? <TileSkeleton /> : <Money usd={money.balanceUsd} />}
      </Tile>
      <Tile name="Held" note="Withdrawals under review">
        {money === undefined ? <TileSkeleton /> : <Money usd={money.heldUsd} />}
      </Tile>
      {money === undefined || list === undefined ? (
        <Tile name="Renewals covered" note="">
          <TileSkeleton />
        </Tile>
      ) : (
        <CoverageTile balanceUsd={money.balanceUsd} servers={list} />
      )}
      <Tile name="Servers" note={list === undefined ? "" : <States servers={list} />}>
        {list === undefined ? <TileSkeleton /> : list.length}
      </Tile>
    </dl>
  );
}

function Tile({
  name,
  note,
  children,
}: {
  readonly name: string;
  readonly note: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className="flex flex-col gap-1 rounded-lg border border-line bg-surface p-5 shadow-panel">
      <dt className="text-sm text-quiet">{name}</dt>
      <dd className="flex flex-col gap-1.5">
        <span className="figures text-2xl font-semibold tracking-tight">{children}</span>
        <span className="text-sm text-quiet">{note}</span>
      </dd>
    </div>
  );
}

function TileSkeleton() {
  return <Skeleton className="my-1 h-6 w-28" />;
}

function CoverageTile({
  balanceUsd,
  servers,
}: {
  readonly balanceUsd: number;
  readonly servers: readonly Server[];
}) {
  const now = useNow(60_000);
  const covered = coverage(balanceUsd, servers, now);
  if (covered.kind === "nothing") {
    return (
      <Tile name="Renewals covered" note="No automatic renewals">
        –
      </Tile>
    );
  }
  if (covered.kind === "beyond") {
    return (
      <Tile name="Renewals covered" note="With no other charges">
        Over a year
      </Tile>
    );
  }
  const { server, at } = covered.renewal;
  return (
    <Tile
      name="Renewals covered until"
      note={
        <>
          Balance then too low for{" "}
          <TextLink to={urlOf(accountRoutes.server, { id: server.id })} className="wrap-anywhere">
            {serverName(server)}
          </TextLink>{" "}
          (<Money usd={renewalUsd(server)} />)
        </>
      }
    >
      <Time at={new Date(at).toISOString()} isDay />
    </Tile>
  );
}

function States({ servers }: { readonly servers: readonly Server[] }) {
  const states = Object.keys(serverStateLabels) as ServerState[];
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-1">
      {states
        .map((state) => ({ state, count: servers.filter((one) => one.state === state).length }))
        .filter(({ count }) => count > 0)
        .map(({ state, count }) => (
          <span key={state} className="flex items-center gap-1.5">
            {count} <ServerStateBadge state={state} />
          </span>
        ))}
    </span>
  );
}
