import type { SearchResult } from "@ironlease/client/operator";
import { deskRoutes, urlOf } from "#app/urls.ts";

const routes: Readonly<Record<SearchResult["kind"], (id: string) => string>> = {
  ACCOUNT: (id) => urlOf(deskRoutes.account, { id }),
  SERVER: (id) => urlOf(deskRoutes.server, { id }),
  MACHINE: (id) => urlOf(deskRoutes.machine, { id }),
  WORK: (id) => urlOf(deskRoutes.workItem, { id }),
  THREAD: (id) => urlOf(deskRoutes.thread, { id }),
  PAYOUT: (id) => urlOf(deskRoutes.payout, { id }),
};

/** The tab of the account that lists records with this prefix. */
const tabs: Readonly<Record<string, string>> = {
  ord: "orders",
  dep: "deposits",
  led: "ledger",
  nte: "notes",
};

/** Where a result is shown. */
export function placeOf({ kind, id, matchedBy, matched }: SearchResult) {
  const tab = matchedBy === "id" ? tabs[matched.slice(0, 3)] : undefined;
  const show = matchedBy === "transactionId" ? "deposits" : tab;
  return {
    to: routes[kind](id),
    search: kind === "ACCOUNT" && show !== undefined ? { show } : {},
  };
}
