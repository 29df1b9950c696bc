import { detailsOf } from "@ironlease/client";
import type {
  ListAccountsRequest,
  ListAllDepositsRequest,
  ListAllNoticesRequest,
  ListAllThreadsRequest,
  ListAuditRequest,
  ListMachinesRequest,
  ListPayoutsRequest,
  ListSubnetsRequest,
  ListWorkRequest,
  ReadCatalogueDocumentAnswer,
} from "@ironlease/client/operator";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { polling } from "#data/query-client.ts";
import { readPage, type AccountList, type PageRequest } from "./account-lists.ts";
import { client } from "./client.ts";

/** Operators share the queue, so it refreshes within seconds. */
const queueMs = 5_000;
/** Evidence appears while a run goes on. */
const runsMs = 2_000;
const minuteMs = 60_000;

/** Every query of the desk, with the key that writes invalidate. */
export const reads = {
  operator: queryOptions({
    queryKey: ["operator"],
    queryFn: ({ signal }) => client.readOperator({ signal }),
    refetchInterval: polling(),
  }),
  operators: queryOptions({
    queryKey: ["operators", "list"],
    queryFn: ({ signal }) => client.listOperators({ signal }),
    refetchInterval: polling(),
  }),
  operatorSessions: (id: string) =>
    queryOptions({
      queryKey: ["operators", "sessions", id],
      queryFn: ({ signal }) => client.listOperatorSessions({ id }, { signal }),
    }),
  passkeys: queryOptions({
    queryKey: ["passkeys"],
    queryFn: ({ signal }) => client.listOperatorPasskeys({ signal }),
  }),
  overview: queryOptions({
    queryKey: ["overview"],
    queryFn: ({ signal }) => client.readOverview({ signal }),
    refetchInterval: polling(),
  }),
  work: (request: ListWorkRequest) =>
    queryOptions({
      queryKey: ["work", "list", request],
      queryFn: ({ signal }) => client.listWork(request, { signal }),
      refetchInterval: polling(queueMs),
      placeholderData: keepPreviousData,
    }),
  workItem: (id: string) =>
    queryOptions({
      queryKey: ["work", "item", id],
      queryFn: ({ signal }) => client.readWork({ id }, { signal }),
      refetchInterval: polling(queueMs),
    }),
  runs: (id: string) =>
    queryOptions({
      queryKey: ["work", "runs", id],
      queryFn: ({ signal }) => client.listRuns({ id }, { signal }),
      refetchInterval: polling(runsMs),
    }),
  accounts: (request: ListAccountsRequest) =>
    queryOptions({
      queryKey: ["accounts", "list", request],
      queryFn: ({ signal }) => client.listAccounts(request, { signal }),
      placeholderData: keepPreviousData,
    }),
  account: (id: string) =>
    queryOptions({
      queryKey: ["accounts", "one", id],
      queryFn: ({ signal }) => client.inspectAccount({ id }, { signal }),
      refetchInterval: polling(),
    }),
  /** A later page of one of an account's lists. */
  accountPage: (list: AccountList, { id, after }: PageRequest) =>
    queryOptions({
      queryKey: ["accounts", "page", id, list, after],
      queryFn: ({ signal }) => readPage[list]({ id, after }, { signal }),
      placeholderData: keepPreviousData,
    }),
  accountNotes: (id: string, after: string) =>
    queryOptions({
      queryKey: ["accounts", "notes", id, after],
      queryFn: ({ signal }) =>
        client.listAccountNotes({ id, ...(after !== "" && { after }) }, { signal }),
      refetchInterval: polling(),
    }),
  server: (id: string) =>
    queryOptions({
      queryKey: ["accounts", "server", id],
      queryFn: ({ signal }) => client.inspectServer({ id }, { signal }),
      refetchInterval: polling(queueMs),
    }),
  search: (query: string) =>
    queryOptions({
      queryKey: ["search", query],
      queryFn: ({ signal }) => client.search({ query }, { signal }),
      enabled: query !== "",
      placeholderData: keepPreviousData,
    }),
  machines: (request: ListMachinesRequest) =>
    queryOptions({
      queryKey: ["machines", "list", request],
      queryFn: ({ signal }) => client.listMachines(request, { signal }),
      placeholderData: keepPreviousData,
    }),
  machine: (id: string) =>
    queryOptions({
      queryKey: ["machines", "one", id],
      queryFn: ({ signal }) => client.readMachine({ id }, { signal }),
      refetchInterval: polling(),
    }),
  machineHistory: (id: string, after: string) =>
    queryOptions({
      queryKey: ["machines", "history", id, after],
      queryFn: ({ signal }) =>
        client.listMachineHistory({ id, ...(after !== "" && { after }) }, { signal }),
      refetchInterval: polling(),
    }),
  subnets: (request: ListSubnetsRequest) =>
    queryOptions({
      queryKey: ["subnets", request],
      queryFn: ({ signal }) => client.listSubnets(request, { signal }),
      placeholderData: keepPreviousData,
    }),
  catalogue: queryOptions({
    queryKey: ["catalogue", "names"],
    queryFn: ({ signal }) => client.readCatalogueDocument({ signal }),
    staleTime: minuteMs,
  }),
  /** With its etag, to detect that another operator saved in between. */
  catalogueVersion: queryOptions({
    queryKey: ["catalogue", "version"],
    queryFn: async ({ signal }) => versionOf(await client.readCatalogueDocument({ signal })),
    refetchInterval: polling(),
  }),
  catalogueVersions: queryOptions({
    queryKey: ["catalogue", "versions"],
    queryFn: ({ signal }) => client.listCatalogueVersions({}, { signal }),
  }),
  /** A saved version never changes. */
  savedCatalogue: (version: number) =>
    queryOptions({
      queryKey: ["saved-catalogue", version],
      queryFn: ({ signal }) =>
        client.readCatalogueVersion({ version: String(version) }, { signal }),
      staleTime: Number.POSITIVE_INFINITY,
    }),
  deposits: (request: ListAllDepositsRequest) =>
    queryOptions({
      queryKey: ["deposits", request],
      queryFn: ({ signal }) => client.listAllDeposits(request, { signal }),
      refetchInterval: polling(queueMs),
      placeholderData: keepPreviousData,
    }),
  payouts: (request: ListPayoutsRequest) =>
    queryOptions({
      queryKey: ["payouts", "list", request],
      queryFn: ({ signal }) => client.listPayouts(request, { signal }),
      refetchInterval: polling(queueMs),
      placeholderData: keepPreviousData,
    }),
  payout: (id: string) =>
    queryOptions({
      queryKey: ["payouts", "one", id],
      queryFn: ({ signal }) => client.readPayout({ id }, { signal }),
      refetchInterval: polling(queueMs),
    }),
  settlement: queryOptions({
    queryKey: ["settlement"],
    queryFn: ({ signal }) => client.readSettlement({ signal }),
    refetchInterval: polling(),
  }),
  reverseDns: queryOptions({
    queryKey: ["reverse-dns"],
    queryFn: ({ signal }) => client.readReverseDns({ signal }),
    refetchInterval: polling(queueMs),
  }),
  rates: queryOptions({
    queryKey: ["rates"],
    queryFn: ({ signal }) => client.listAllRates({ signal }),
    refetchInterval: polling(),
  }),
  threads: (request: ListAllThreadsRequest) =>
    queryOptions({
      queryKey: ["threads", "list", request],
      queryFn: ({ signal }) => client.listAllThreads(request, { signal }),
      refetchInterval: polling(queueMs),
      placeholderData: keepPreviousData,
    }),
  thread: (id: string) =>
    queryOptions({
      queryKey: ["threads", "one", id],
      queryFn: ({ signal }) => client.readAnyThread({ id }, { signal }),
      refetchInterval: polling(queueMs),
    }),
  checklists: queryOptions({
    queryKey: ["checklists"],
    queryFn: ({ signal }) => client.listChecklists({ signal }),
    staleTime: minuteMs,
  }),
  savedReplies: queryOptions({
    queryKey: ["savedReplies"],
    queryFn: ({ signal }) => client.listSavedReplies({ signal }),
    staleTime: minuteMs,
  }),
  notices: (request: ListAllNoticesRequest) =>
    queryOptions({
      queryKey: ["notices", request],
      queryFn: ({ signal }) => client.listAllNotices(request, { signal }),
      refetchInterval: polling(),
      placeholderData: keepPreviousData,
    }),
  audit: (request: ListAuditRequest) =>
    queryOptions({
      queryKey: ["audit", request],
      queryFn: ({ signal }) => client.listAudit(request, { signal }),
      placeholderData: keepPreviousData,
    }),
};

export interface CatalogueVersion {
  readonly document: ReadCatalogueDocumentAnswer;
  readonly etag: string;
}

export function versionOf(document: ReadCatalogueDocumentAnswer): CatalogueVersion {
  return { document, etag: detailsOf(document)?.etag ?? "" };
}

/** Key prefixes for invalidating all queries of a kind. */
export const keys = {
  operator: ["operator"],
  operators: ["operators"],
  overview: ["overview"],
  reverseDns: ["reverse-dns"],
  work: ["work"],
  accounts: ["accounts"],
  machines: ["machines"],
  subnets: ["subnets"],
  catalogue: ["catalogue"],
  deposits: ["deposits"],
  payouts: ["payouts"],
  settlement: ["settlement"],
  rates: ["rates"],
  threads: ["threads"],
  checklists: ["checklists"],
  savedReplies: ["savedReplies"],
  notices: ["notices"],
} as const;
