import type { ListServersRequest, Server, ServerCount } from "@ironlease/client";
import { oneOf, optional } from "#ui/filters.ts";
import { shortServerList } from "#account/data/short-server-list.ts";

export const currentStates = ["ACTIVE", "GRACE", "PROVISIONING", "SUSPENDED"] as const;
export const sorts = ["createdAt", "paidThrough", "name"] as const;

const pageLength = 50;

/** The page that the URL asks for. One more server than is shown tells whether another page follows. */
export function pageRequest(get: (name: string) => string): ListServersRequest {
  return {
    limit: pageLength + 1,
    include: "assignments",
    after: optional(get("after")),
    state: oneOf(currentStates, get("state")),
    regionId: optional(get("region")),
    query: optional(get("query")),
    sort: oneOf(sorts, get("sort")),
  };
}

interface ShownPage {
  readonly shown: readonly Server[];
  /** Where the next page begins, if there is one. */
  readonly next: string | undefined;
}

export function splitPage(servers: readonly Server[]): ShownPage {
  const shown = servers.slice(0, pageLength);
  return { shown, next: servers.length > pageLength ? shown.at(-1)?.id : undefined };
}

type Counted = Pick<Server, "state" | "region"> & Pick<ServerCount, "servers">;

/** Counts the servers of the first page, if that is the whole list and a short one. */
export function countsOf(page: readonly Server[] | undefined): readonly Counted[] | undefined {
  if (page === undefined || page.length > shortServerList) return undefined;
  return page.map(({ state, region }) => ({ state, region, servers: 1 }));
}

/** The sum of the counts by state or region. */
export function countBy(
  counts: readonly Counted[],
  field: "state" | "region",
): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const { servers, ...group } of counts) {
    sums.set(group[field], (sums.get(group[field]) ?? 0) + servers);
  }
  return sums;
}
