import type { ListDepositsAnswer, ReadQuoteRequest } from "@ironlease/client";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { polling } from "#data/query-client.ts";
import { client } from "./client.ts";
import { isLedgerBehind, isNewlyCredited } from "./stale-ledger.ts";

const minuteMs = 60_000;
const accountKey = ["account"];
const ledgerKey = ["ledger"];
const depositsKey = ["deposits"];

/** Everything that the account pages read, each under the key by which a change names it. */
export const reads = {
  account: queryOptions({
    queryKey: accountKey,
    queryFn: ({ signal }) => client.readAccount({ signal }),
    refetchInterval: polling(),
  }),
  sessions: queryOptions({
    queryKey: ["sessions"],
    queryFn: ({ signal }) => client.listSessions({ signal }),
  }),
  apiKeys: queryOptions({
    queryKey: ["apiKeys"],
    queryFn: ({ signal }) => client.listApiKeys({ signal }),
  }),
  sshKeys: queryOptions({
    queryKey: ["sshKeys"],
    queryFn: ({ signal }) => client.listSshKeys({ signal }),
  }),
  catalogue: queryOptions({
    queryKey: ["catalogue"],
    queryFn: ({ signal }) => client.readCatalogue({ signal }),
    staleTime: minuteMs,
  }),
  orders: queryOptions({
    queryKey: ["orders"],
    queryFn: ({ signal }) => client.listOrders({ signal }),
  }),
  servers: queryOptions({
    queryKey: ["servers"],
    queryFn: ({ signal }) => client.listServers({ signal }),
    refetchInterval: polling(),
  }),
  server: (id: string) =>
    queryOptions({
      queryKey: ["servers", id],
      queryFn: ({ signal }) => client.readServer({ id }, { signal }),
      refetchInterval: polling(),
    }),
  network: queryOptions({
    queryKey: ["network"],
    queryFn: ({ signal }) => client.listAssignments({ signal }),
  }),
  ledger: queryOptions({
    queryKey: ledgerKey,
    queryFn: ({ signal }) => client.readLedger({ signal }),
    refetchInterval: polling(),
  }),
  depositAddresses: queryOptions({
    queryKey: ["depositAddresses"],
    queryFn: ({ signal }) => client.listDepositAddresses({ signal }),
  }),
  deposits: queryOptions({
    queryKey: depositsKey,
    queryFn: async ({ signal, client: queries }) => {
      const answer = await client.listDeposits({ signal });
      // The balance first: "Credited" beside the old balance looks as if money were missing.
      const before = queries.getQueryData<ListDepositsAnswer>(depositsKey)?.deposits;
      const isStale =
        isNewlyCredited(before, answer.deposits) ||
        isLedgerBehind(queries.getQueryData(ledgerKey), answer.deposits);
      if (isStale) {
        const [ledger, account] = await Promise.all([
          client.readLedger({ signal }),
          client.readAccount({ signal }),
        ]);
        queries.setQueryData(ledgerKey, ledger);
        queries.setQueryData(accountKey, account);
      }
      return answer;
    },
    // Confirmations come every few minutes at most, but the first sight of a payment is waited for.
    refetchInterval: polling(5_000),
  }),
  quote: (request: ReadQuoteRequest) =>
    queryOptions({
      queryKey: ["quote", request],
      queryFn: ({ signal }) => client.readQuote(request, { signal }),
      // The last quote stays, dimmed, while the next is on its way: no jump from sum to nothing.
      placeholderData: keepPreviousData,
      refetchInterval: polling(),
    }),
};
