import {
  readWithdrawalHistory,
  type CountServersAnswer,
  type ListActivityRequest,
  type ListDepositsAnswer,
  type ListLedgerEntriesRequest,
  type ListServersRequest,
  type ReadAccountSummaryAnswer,
  type ReadDepositAddressAnswer,
  type ReadQuoteRequest,
} from "@ironlease/client";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { polling } from "#data/query-client.ts";
import {
  accountChanges,
  accountKey,
  depositsKey,
  ledgerKey,
  promptAccountChanges,
  refreshBalance,
  summaryKey,
  threadsKey,
} from "./account-changes.ts";
import { client } from "./client.ts";
import { isNewlyCredited } from "./newly-credited.ts";
import { shortServerList } from "./short-server-list.ts";

const minuteMs = 60_000;
const serverPagesKey = ["servers", "page"];
const serverCountsKey = ["servers", "counts"];
const depositAddressesKey = ["depositAddresses"];
/** For lists that `accountChanges` refreshes. */
const seldom = polling(10 * minuteMs);

/** Every query of the account pages, with the key that writes invalidate. */
export const reads = {
  account: queryOptions({
    queryKey: accountKey,
    queryFn: ({ signal }) => client.readAccount({ signal }),
  }),
  accountSummary: queryOptions({
    queryKey: summaryKey,
    queryFn: async ({ signal, client: queries }) => {
      const answer = await client.readAccountSummary({ signal });
      const previous = queries.getQueryData<ReadAccountSummaryAnswer>(summaryKey);
      // The ledger beside it must not end at another balance.
      if (previous !== undefined && previous.balanceUsd !== answer.balanceUsd) {
        void queries.invalidateQueries({ queryKey: ledgerKey });
      }
      return answer;
    },
    // Many changes affect it.
    staleTime: 0,
    refetchInterval: polling(),
  }),
  accountChanges,
  promptAccountChanges,
  sessions: queryOptions({
    queryKey: ["sessions"],
    queryFn: ({ signal }) => client.listSessions({ signal }),
  }),
  passkeys: queryOptions({
    queryKey: ["passkeys"],
    queryFn: ({ signal }) => client.listPasskeys({ signal }),
  }),
  activity: (request: ListActivityRequest) =>
    queryOptions({
      queryKey: ["activity", request],
      queryFn: ({ signal }) => client.listActivity(request, { signal }),
      placeholderData: keepPreviousData,
    }),
  apiKeys: queryOptions({
    queryKey: ["apiKeys"],
    queryFn: ({ signal }) => client.listApiKeys({ signal }),
  }),
  sshKeys: queryOptions({
    queryKey: ["sshKeys"],
    queryFn: ({ signal }) => client.listSshKeys({ signal }),
  }),
  withdrawalAddresses: queryOptions({
    queryKey: ["withdrawalAddresses"],
    queryFn: ({ signal }) => client.listWithdrawalAddresses({ signal }),
  }),
  withdrawalLock: queryOptions({
    queryKey: ["withdrawalLock"],
    queryFn: ({ signal }) => client.readWithdrawalLock({ signal }),
  }),
  contact: queryOptions({
    queryKey: ["contact"],
    queryFn: ({ signal }) => client.readContact({ signal }),
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
  /** Not polled, because it can be long. */
  servers: queryOptions({
    queryKey: ["servers"],
    queryFn: ({ signal }) => client.listServers({}, { signal }),
  }),
  serverPage: (request: ListServersRequest) =>
    queryOptions({
      queryKey: [...serverPagesKey, request],
      queryFn: ({ signal }) => client.listServers(request, { signal }),
      placeholderData: keepPreviousData,
      refetchInterval: (query) => {
        const isShort = (query.state.data?.servers.length ?? 0) <= shortServerList;
        return polling(isShort ? undefined : 10 * minuteMs)(query);
      },
    }),
  serverCounts: queryOptions({
    queryKey: serverCountsKey,
    queryFn: async ({ signal, client: queries }) => {
      const answer = await client.countServers({ signal });
      const previous = queries.getQueryData<CountServersAnswer>(serverCountsKey);
      if (previous !== undefined && JSON.stringify(previous) !== JSON.stringify(answer)) {
        void queries.invalidateQueries({ queryKey: serverPagesKey });
      }
      return answer;
    },
    refetchInterval: polling(),
  }),
  pastServers: queryOptions({
    queryKey: ["servers", "past"],
    queryFn: ({ signal }) => client.listPastServers({ signal }),
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
  }),
  /** A page of the whole ledger. Movements invalidate it with the balance, because its key starts alike. */
  ledgerEntries: (request: ListLedgerEntriesRequest) =>
    queryOptions({
      queryKey: [...ledgerKey, "entries", request],
      queryFn: ({ signal }) => client.listLedgerEntries(request, { signal }),
      placeholderData: keepPreviousData,
      refetchInterval: seldom,
    }),
  ledgerEntry: (id: string) =>
    queryOptions({
      queryKey: [...ledgerKey, "entry", id],
      queryFn: ({ signal }) => client.readLedgerEntry({ id }, { signal }),
    }),
  withdrawals: (count: number) =>
    queryOptions({
      queryKey: [...ledgerKey, "withdrawals", count],
      queryFn: ({ signal }) => readWithdrawalHistory(client, count, { signal }),
      placeholderData: keepPreviousData,
      refetchInterval: seldom,
    }),
  /** Null until the service has signed its liabilities for the first time. */
  latestLiabilities: queryOptions({
    queryKey: ["liabilities"],
    queryFn: async ({ signal }) => {
      const [latest] = (await client.listLiabilities({ signal })).liabilities;
      return latest === undefined
        ? null
        : client.readLiabilities({ date: latest.date }, { signal });
    },
  }),
  threads: queryOptions({
    queryKey: threadsKey,
    queryFn: ({ signal }) => client.listThreads({ signal }),
    refetchInterval: seldom,
  }),
  thread: (id: string) =>
    queryOptions({
      queryKey: [...threadsKey, id],
      queryFn: ({ signal }) => client.readThread({ id }, { signal }),
      refetchInterval: seldom,
    }),
  notices: queryOptions({
    queryKey: ["notices"],
    queryFn: ({ signal }) => client.listNotices({ signal }),
    refetchInterval: polling(),
  }),
  webhooks: queryOptions({
    queryKey: ["webhooks"],
    queryFn: ({ signal }) => client.listWebhooks({ signal }),
  }),
  deliveries: (id: string) =>
    queryOptions({
      queryKey: ["webhooks", id, "deliveries"],
      queryFn: ({ signal }) => client.listDeliveries({ id }, { signal }),
      // Users wait for the result of a test.
      refetchInterval: polling(5_000),
    }),
  rates: queryOptions({
    queryKey: ["rates"],
    queryFn: ({ signal }) => client.listRates({ signal }),
    refetchInterval: polling(10_000),
  }),
  depositAddresses: queryOptions({
    queryKey: depositAddressesKey,
    queryFn: ({ signal }) => client.listDepositAddresses({ signal }),
  }),
  depositAddress: (id: string) => {
    const queryKey = [...depositAddressesKey, id];
    return queryOptions({
      queryKey,
      queryFn: async ({ signal, client: queries }) => {
        const answer = await client.readDepositAddress({ id }, { signal });
        const previous = queries.getQueryData<ReadDepositAddressAnswer>(queryKey);
        if (isNewlyCredited(previous?.latestDeposits, answer.latestDeposits)) {
          await refreshBalance(queries, signal);
        }
        return answer;
      },
      // Confirmations take minutes, but users wait for a payment to be seen.
      refetchInterval: polling(5_000),
    });
  },
  deposits: queryOptions({
    queryKey: depositsKey,
    queryFn: async ({ signal, client: queries }) => {
      const answer = await client.listDeposits({ signal });
      const previous = queries.getQueryData<ListDepositsAnswer>(depositsKey)?.deposits;
      // Refresh the balance first: "Credited" beside the old balance looks like missing money.
      if (isNewlyCredited(previous, answer.deposits)) await refreshBalance(queries, signal);
      // Addresses count their payments. The newest payment is the first in the list.
      const isOther =
        previous?.length !== answer.deposits.length || previous[0]?.id !== answer.deposits[0]?.id;
      if (previous !== undefined && isOther) {
        void queries.invalidateQueries({ queryKey: depositAddressesKey });
      }
      return answer;
    },
    refetchInterval: seldom,
  }),
  quote: (request: ReadQuoteRequest) =>
    queryOptions({
      queryKey: ["quote", request],
      queryFn: ({ signal }) => client.readQuote(request, { signal }),
      // Keep the last quote, dimmed, while the next one loads.
      placeholderData: keepPreviousData,
      refetchInterval: polling(),
    }),
};
