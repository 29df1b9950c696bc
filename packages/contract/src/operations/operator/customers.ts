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
import { serverRecord } from "../../server-fields.ts";
import { withdrawalRecord } from "../withdrawals.ts";
import { accountNotes } from "./account-notes.ts";
import { auditEntry } from "./audit.ts";

const summary = {
  id: id("account"),
  username: Type.String(),
  balanceUsd: usd,
  heldUsd: usd,
  createdAt: time,
  frozen: Type.Boolean(),
  closedAt: Type.Unsafe<string | null>({
    ...nullableTime,
    description: "When the customer closed the account. Its name and personal data are erased.",
  }),
};

export const customerAccount = Type.Object(summary, { title: "CustomerAccount" });

export const heldServer = Type.Object(
  {
    ...serverRecord.properties,
    machineId: Type.String(),
    ddosRequestedMode: nullableText("The requested mode, until it is applied."),
    ddosQuoteUsd: Type.Unsafe<number | null>({
      type: ["number", "null"],
      description: "Price per term for ADVANCED. Every renewal includes it.",
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
const newestFirst = "Newest first, 100 per page.";

/** The lists of `inspectAccount`, paginated. */
const accountLists = {
  listAccountServers: operation({
    ...ofList,
    path: "/operator/v1/accounts/{id}/servers",
    summary: "List an account's servers",
    description: `${newestFirst} Includes terminated servers.`,
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
    answers: { 200: Type.Object({ withdrawals: Type.Array(withdrawalRecord) }) },
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
    description: `${newestFirst} Actions by the account, and actions on it and on its 100 most recent servers, withdrawals and work items.`,
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
    description: "In order of registration, 100 per page.",
    query: Type.Object(
      {
        query: search(
          "Part of a username, an account, server, order, deposit or withdrawal id, an IP or deposit address, or a transaction id.",
          "ada",
        ),
        closed: Type.Optional(
          words(["true"], { description: "Only closed accounts.", message: "must be true" }),
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
    summary: "Read an account with its records",
    description:
      "The 100 most recent records of each list, newest first, including terminated servers. Each list has its own paginated operation.",
    answers: {
      200: Type.Object(
        {
          ...summary,
          frozenAt: nullableTime,
          frozenReason: nullableText("Why it is frozen, as the customer sees it, or null."),
          sessions: count("Active sessions."),
          apiKeys: count("API keys that have not expired."),
          servers: Type.Array(heldServer),
          orders: orders.listOrders.answers[200].properties.orders,
          deposits: deposits.listDeposits.answers[200].properties.deposits,
          withdrawals: Type.Array(withdrawalRecord),
          ledger: ledgerEntries,
          audit: Type.Array(auditEntry),
        },
        { title: "CustomerAccountDetail" },
      ),
    },
    errors: [],
  }),
  ...accountLists,
  ...accountNotes,
  adjustBalance: operation({
    ...asOperator("finance"),
    tag: "Accounts",
    method: "POST",
    path: "/operator/v1/accounts/{id}/adjustments",
    summary: "Adjust a balance",
    description:
      "Credits or debits the customer, who sees the reason in the ledger. The balance cannot become negative. A closed account can only be debited, to return what was paid to it later.",
    idempotency: "replay",
    body: Type.Object(
      {
        usd: usdInRequest(
          "must be an amount in USD other than 0, with at most two decimals; negative to debit",
        ),
        reason,
      },
      { additionalProperties: false },
    ),
    answers: {
      201: Type.Object(
        {
          id: id("ledgerEntry", "The ledger entry."),
          accountId: Type.String(),
          usd: Type.Number({ description: "The credited amount; negative for a debit." }),
          balanceUsd: usd,
        },
        { title: "Adjustment" },
      ),
    },
    errors: ["insufficient_balance", "conflict"],
  }),
  freezeAccount: operation({
    ...asAdmin,
    method: "POST",
    path: "/operator/v1/accounts/{id}/freeze",
    summary: "Freeze an account",
    description:
      "The customer can still sign in, read, sign out, change or recover the password, revoke sessions and keys, and write to the operators. Every other change returns 403 `account_frozen`. The customer sees the reason.",
    body: shownReasonBody,
    answers: { 200: customerAccount },
    errors: ["conflict"],
  }),
  unfreezeAccount: operation({
    ...asAdmin,
    method: "POST",
    path: "/operator/v1/accounts/{id}/unfreeze",
    summary: "Unfreeze an account",
    body: reasonBody,
    answers: { 200: customerAccount },
    errors: ["conflict"],
  }),
  suspendServer: operation({
    ...asAdmin,
    method: "POST",
    path: "/operator/v1/servers/{id}/suspend",
    summary: "Suspend a server",
    description:
      "The paid term keeps running, because the machine stays assigned. The customer sees the reason in the server record. Queues a SERVER_ACTION work item to power off the machine, without an `actionId` because no customer requested it.",
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
      "The server becomes ACTIVE, or GRACE if it is not paid for. Cancels an unclaimed power-off. If the machine may be off, queues a SERVER_ACTION work item to reboot it.",
    body: reasonBody,
    answers: { 200: serverRecord },
    errors: ["conflict"],
  }),
};
