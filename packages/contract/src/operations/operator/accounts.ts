import { Type } from "typebox";
import { operation } from "../../operation.ts";
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
import { billing } from "../billing.ts";
import { orders } from "../orders.ts";
import { serverRecord } from "../servers.ts";
import { auditEntry } from "./oversight.ts";
import { afterId, asOperator, reason, reasonBody, search } from "./fields.ts";

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
    ddosRequestedMode: nullableText("The mode that is asked for and not yet in force."),
    ddosQuoteUsd: Type.Unsafe<number | null>({
      type: ["number", "null"],
      description: "What the customer agreed to pay per term for ADVANCED; billed by hand.",
    }),
  },
  { title: "CustomerServer" },
);

const ledger = billing.readLedger.answers[200].properties.entries;
const deposits = billing.listDeposits.answers[200].properties.deposits;

const ofAccounts = { ...asOperator("support"), tag: "Accounts" } as const;
const asAdmin = { ...asOperator("admin"), tag: "Accounts" } as const;

export const accounts = {
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
    description: "The latest 100 of each list, newest first; servers that have ended too.",
    answers: {
      200: Type.Object(
        {
          ...summary,
          frozenAt: nullableTime,
          sessions: count("How many sessions are alive."),
          apiKeys: count("How many API keys have not expired."),
          servers: Type.Array(heldServer),
          orders: orders.listOrders.answers[200].properties.orders,
          deposits,
          withdrawals: Type.Array(withdrawal),
          ledger,
          audit: Type.Array(auditEntry),
        },
        { title: "CustomerAccountDetail" },
      ),
    },
    errors: [],
  }),
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
      "It can still sign in and read, sign out, change and recover its password and revoke its sessions and keys; every other change answers 403 `account_frozen`.",
    body: reasonBody,
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
    description: "Its paid time runs on, since the machine stays the customer's.",
    body: reasonBody,
    answers: { 200: serverRecord },
    errors: ["conflict"],
  }),
  resumeServer: operation({
    ...asAdmin,
    method: "POST",
    path: "/operator/v1/servers/{id}/resume",
    summary: "Resume a suspended server",
    description: "ACTIVE again, or GRACE when it is not paid for.",
    body: reasonBody,
    answers: { 200: serverRecord },
    errors: ["conflict"],
  }),
};
