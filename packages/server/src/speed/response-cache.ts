import type { OperationId, Operations } from "@ironlease/contract";
import type { Answered } from "#http/answers/outcome.ts";
import type { Account, AnyCall, Call } from "#http/bind.ts";
import { isWholeList } from "#http/handlers/servers.ts";
import type { Route } from "#http/routes.ts";
import { VersionedLru } from "./versioned-lru.ts";

/** How the answers of an operation are cached. */
interface Rule<C = AnyCall> {
  /** The cache key, such as the account. Undefined for calls whose answers are not cached. */
  key(call: C): string | undefined;
  /** Changes whenever the answer may have changed. */
  version(call: C): string;
  /** The maximum number of cached answers. */
  readonly capacity: number;
}

/** An answer of a hundred entries takes some 30 kB. */
const byAccount: Rule<{ readonly account: Account }> = {
  key: ({ account }) => account.accountId,
  version: ({ account }) => account.listsVersion,
  capacity: 200,
};

/** Pages of servers have addresses with reverse DNS, which the version of the lists does not cover. */
const wholeServerList: Rule<Call<Operations["listServers"]>> = {
  ...byAccount,
  key: ({ account, query }) => (isWholeList(query) ? account.accountId : undefined),
};

/** The body contains the session's CSRF token. */
const bySession: Rule<Call<Operations["readAccount"]>> = {
  key: ({ session }) => session.sessionId,
  version: ({ session }) => `${session.listsVersion} ${session.hasSecondFactor}`,
  capacity: 1_000,
};

const forever: Rule = { key: () => "", version: () => "", capacity: 1 };

/**
 * Every cached operation. Each request reads the version of the account's lists from the database together with its
 * session or key, so every instance can have its own cache.
 */
const cachedOperations: { readonly [Id in OperationId]?: Rule<Call<Operations[Id]>> } = {
  readAccount: bySession,
  listApiKeys: byAccount,
  listSshKeys: byAccount,
  listOrders: byAccount,
  listServers: wholeServerList,
  listDeposits: byAccount,
  readLedger: byAccount,
  readOpenApi: forever,
  readOperatorOpenApi: forever,
};

const rules: Readonly<Record<string, Rule | undefined>> = cachedOperations;

/** Caches the serialized answers of the operations above (ADR 17). */
export function responseCache(route: Route): Route {
  const rule = rules[route.id];
  if (rule === undefined) return route;
  const answers = new VersionedLru<Answered>(rule.capacity);
  return {
    ...route,
    respond: async (call) => {
      const key = rule.key(call);
      if (key === undefined) return route.respond(call);
      const version = rule.version(call);
      const cached = answers.get(key, version);
      if (cached !== undefined) return cached;
      const outcome = await route.respond(call);
      if (outcome.kind === "answer") answers.set(key, version, outcome);
      return outcome;
    },
  };
}
