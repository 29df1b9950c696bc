import { Type } from "typebox";
import type { IdKind } from "../../ids.ts";
import { operation } from "../../operation.ts";
import {
  afterId,
  asOperator,
  reason,
  reasonBody,
  search,
  shownReasonBody,
} from "../../operator-fields.ts";
import {
  count,
  id,
  nullableText,
  nullableTime,
  time,
  usd,
  usdInRequest,
  words,
} from "../../schemas.ts";
import { deposits } from "../deposits.ts";
import { ledger } from "../ledger.ts";
import { orders } from "../orders.ts";
import { serverRecord } from "../servers.ts";
import { auditEntry } from "./audit.ts";

const summary = {
  id: id("account"),
  username: Type.String(),
  balanceUsd: usd,
  heldUsd: usd,
  createdAt: time,
  frozen: Type.Boolean(),
};

const customerAccount = Type.Object(summary, { title: "CustomerAccount" });

const withdrawalStates = ["PENDING_REVIEW", "PAID", "REJECTED"] as const;

const withdrawal = Type.Object(
  {
    id: id("withdrawal"),
    asset: Type.String(),
    destination: Type.String(),
    usd,
    status: words(withdrawalStates),
    transactionId: nullableText("Of the payment, once it is made."),
    createdAt: time,
    resolvedAt: nullableTime,
  },
  { title: "CustomerWithdrawal" },
);

const heldServer = Type.Object(
  {
    ...serverRecord.properties,
    machineId: Type.String(),
    ddosRequestedMode: nullableText("The requested mode that is not applied yet."),
    ddosQuoteUsd: Type.Unsafe<number | null>({
      type: ["number", "null"],
      description: "What the customer agreed to pay per term for ADVANCED; billed by hand.",
    }),
  },
  { title: "CustomerServer" },
);

const ledgerEntries = ledger.readLedger.answers[200].properties.entries;

const ofAccounts = { ...asOperator("support"), tag: "Accounts" } as const;
const asAdmin = { ...asOperator("admin"), tag: "Accounts" } as const;

const afterOnly = (kind: IdKind) =>
  Type.Object({ after: afterId(kind) }, { additionalProperties: false });

const ofList = { ...ofAccounts, method: "GET", errors: [] } as const;
const newestFirst = "Newest first, 100 a page.";

/** The lists of `inspectAccount`, page by page. */
const accountLists = {
  listAccountServers: operation({
    ...ofList,
    path: "/operator/v1/accounts/{id}/servers",
    summary: "List an account's servers",
    description: `${newestFirst} With those that have ended.`,
    query: afterOnly("server"),
    answers: { 200: Type.Object({ servers: Type.Array(heldServer) }) },
  }),
  listAccountOrders: operation({
    ...ofList,
    path: "/operator/v1/accounts/{id}/orders",
    summary: "List an account's orders",
    description: newestFirst,
    query: afterOnly("order"),
    answers: { 200: orders.listOrders.answers[200] },
  }),
  listAccountDeposits: operation({
    ...ofList,
    path: "/operator/v1/accounts/{id}/deposits",
    summary: "List an account's deposits",
    description: newestFirst,
    query: afterOnly("deposit"),
    answers: { 200: deposits.listDeposits.answers[200] },
  }),
  listAccountWithdrawals: operation({
    ...ofList,
    path: "/operator/v1/accounts/{id}/withdrawals",
    summary: "List an account's withdrawals",
    description: newestFirst,
    query: afterOnly("withdrawal"),
    answers: { 200: Type.Object({ withdrawals: Type.Array(withdrawal) }) },
  }),
  listAccountLedger: operation({
    ...ofList,
    path: "/operator/v1/accounts/{id}/ledger",
    summary: "List an account's ledger entries",
    description: newestFirst,
    query: afterOnly("ledgerEntry"),
    answers: { 200: Type.Object({ entries: ledgerEntries }) },
  }),
  listAccountAudit: operation({
    ...ofList,
    path: "/operator/v1/accounts/{id}/audit",
    summary: "List the audit entries about an account",
    description: `${newestFirst} What the account did, and what was done to it and to its latest 100 servers, withdrawals and work items.`,
    query: afterOnly("auditEntry"),
    answers: { 200: Type.Object({ entries: Type.Array(auditEntry) }) },
  }),
};

export const customers = {
  listAccounts: operation({
    ...ofAccounts,
    method: "GET",
    path: "/operator/v1/accounts",
    summary: "Find accounts",
    description: "In the order in which they registered, 100 a page.",
    query: Type.Object(
      {
        query: search(
          "A part of a username; or the account, server, order, deposit or withdrawal identifier, the IP or deposit address, or the transaction that the customer names.",
          "ada",
        ),
        after: afterId("account"),
      },
      { additionalProperties: false },
    ),
    answers: { 200: Type.Object({ accounts: Type.Array(customerAccount) }) },
    errors: [],
  }),
  inspectAccount: operation({
    ...ofAccounts,
    method: "GET",
    path: "/operator/v1/accounts/{id}",
    summary: "Read everything about one account",
    description:
      "The latest 100 of each list, newest first; servers that have ended too. Each list has an operation of its own that gives the rest, page by page.",
    answers: {
      200: Type.Object(
        {
          ...summary,
          frozenAt: nullableTime,
          sessions: count("How many sessions are alive."),
          apiKeys: count("How many API keys have not expired."),
          servers: Type.Array(heldServer),
          orders: orders.listOrders.answers[200].properties.orders,
          deposits: deposits.listDeposits.answers[200].properties.deposits,
          withdrawals: Type.Array(withdrawal),
          ledger: ledgerEntries,
          audit: Type.Array(auditEntry),
        },
        { title: "CustomerAccountDetail" },
      ),
    },
    errors: [],
  }),
  ...accountLists,
  adjustBalance: operation({
    ...asOperator("finance"),
    tag: "Accounts",
    method: "POST",
    path: "/operator/v1/accounts/{id}/adjustments",
    summary: "Adjust a balance",
    description:
      "Moves money between the house and the customer, who reads the reason in the ledger. Never below a zero balance.",
    idempotency: "replay",
    body: Type.Object(
      {
        usd: usdInRequest("must be USD other than 0 with at most two decimals, negative to take"),
        reason,
      },
      { additionalProperties: false },
    ),
    answers: {
      201: Type.Object(
        {
          id: id("ledgerEntry", "Of the ledger entry."),
          accountId: Type.String(),
          usd: Type.Number({ description: "What was added, or taken when negative." }),
          balanceUsd: usd,
        },
        { title: "Adjustment" },
      ),
    },
    errors: ["insufficient_balance"],
  }),
  freezeAccount: operation({
    ...asAdmin,
    method: "POST",
    path: "/operator/v1/accounts/{id}/freeze",
    summary: "Freeze an account",
    description:
      "It can still sign in and read, sign out, change and recover its password and revoke its sessions and keys; every other change answers 403 `account_frozen`. The customer sees the reason.",
    body: shownReasonBody,
    answers: { 200: customerAccount },
    errors: [],
  }),
  unfreezeAccount: operation({
    ...asAdmin,
    method: "POST",
    path: "/operator/v1/accounts/{id}/unfreeze",
    summary: "Unfreeze an account",
    body: reasonBody,
    answers: { 200: customerAccount },
    errors: [],
  }),
  suspendServer: operation({
    ...asAdmin,
    method: "POST",
    path: "/operator/v1/servers/{id}/suspend",
    summary: "Suspend a server",
    description:
      "Its paid time runs on, since the machine stays the customer's. The customer reads the reason in the server's record. Queues a SERVER_ACTION item to power the machine off, with no `actionId` since no customer asked for it.",
    body: shownReasonBody,
    answers: { 200: serverRecord },
    errors: ["conflict"],
  }),
  resumeServer: operation({
    ...asAdmin,
    method: "POST",
    path: "/operator/v1/servers/{id}/resume",
    summary: "Resume a suspended server",
    description:
      "ACTIVE again, or GRACE when it is not paid for. An unclaimed power-off is withdrawn. A SERVER_ACTION item to reboot the machine is queued if the machine may be off.",
    body: reasonBody,
    answers: { 200: serverRecord },
    errors: ["conflict"],
  }),
};
