import { Type } from "typebox";
import { operation } from "../operation.ts";
import { count, id, nullableText, text, time, usd, words } from "../schemas.ts";
import { serverFields, serverStates } from "../server-fields.ts";

const day = text("A day in UTC.", "2026-11-15");

const serverDue = Type.Object(
  {
    id: id("server"),
    label: text("The customer's own name; empty if there is none.", "Shop database"),
    hostname: nullableText("Null until delivery.", "shop-db.example.com"),
    configId: serverFields.configId,
    region: serverFields.region,
    state: words(serverStates),
    at: time,
    usd,
  },
  { title: "ServerDue" },
);

const nullableServerDue = (description: string) =>
  Type.Union([serverDue, Type.Null()], { description });

const serversDue = Type.Object(
  {
    count: count("How many."),
    first: nullableServerDue("The one whose `at` comes first."),
  },
  { title: "ServersDue" },
);

const serverStateCount = Type.Object(
  { state: words(serverStates), count: count("How many.") },
  { title: "ServerStateCount" },
);

const lowBalance = Type.Object(
  {
    until: time,
    neededUsd: Type.Number({ description: "The renewals due until then." }),
    missingUsd: Type.Number({ description: "What the balance is short of that." }),
  },
  { title: "LowBalance" },
);

const renewalDay = Type.Object({ day, count: count("How many."), usd }, { title: "RenewalDay" });

const balanceDay = Type.Object({ day, usd }, { title: "BalanceDay" });

const summary = Type.Object(
  {
    balanceUsd: usd,
    heldUsd: usd,
    monthlyUsd: Type.Number({
      description:
        "What 30 days of the servers that renew automatically cost. A weekly price counts 30/7 times.",
    }),
    upcoming: Type.Array(serverDue, {
      description:
        "The next five automatic renewals, soonest first. Times in the past are of servers in grace.",
    }),
    serverStates: Type.Array(serverStateCount, {
      description: "Servers by state. States without a server and TERMINATED are left out.",
    }),
    grace: serversDue,
    quotes: serversDue,
    lowBalance: Type.Union([lowBalance, Type.Null()], {
      description: "Null if the balance covers the renewals of the next three days.",
    }),
    renewals: Type.Array(renewalDay, {
      description:
        "Automatic renewals by day over the next 90 days, at today's prices. Days without one are left out.",
    }),
    uncovered: nullableServerDue(
      "The first automatic renewal of the next 400 days that the balance does not cover, if nothing else is charged or deposited.",
    ),
    balances: Type.Array(balanceDay, {
      description: "The balance at the end of each of the last 90 days, oldest first.",
    }),
  },
  { title: "AccountSummary" },
);

const changes = Type.Object(
  {
    username: Type.String(),
    balanceUsd: usd,
    heldUsd: usd,
    unread: count("Messages that you have not marked as read, over all threads."),
    changes: count(
      "Grows with every change to the ledger, servers, deposits, API keys and SSH keys.",
    ),
    threadChanges: count(
      "Grows with every change to a thread: messages, closing, and what you mark as read.",
    ),
  },
  { title: "AccountChanges" },
);

export const accountSummary = {
  readAccountChanges: operation({
    listener: "account",
    tag: "Billing",
    method: "GET",
    path: "/api/v1/account-changes",
    summary: "Poll the account for changes",
    description:
      "A small answer to poll instead of lists: read a list again when it may have changed.",
    extension: true,
    access: { kind: "session", scopes: [] },
    idempotency: "none",
    answers: { 200: changes },
    errors: [],
  }),
  readAccountSummary: operation({
    listener: "account",
    tag: "Billing",
    method: "GET",
    path: "/api/v1/account-summary",
    summary: "Read the account summary",
    description:
      "Sums over all servers and ledger entries: cost, renewals ahead, past balances, and servers that need attention. In `grace`, `at` is the end of the grace period and `usd` the renewal; in `quotes`, `at` is when the DDoS quote expires and `usd` its price per term.",
    extension: true,
    access: { kind: "session", scopes: [] },
    idempotency: "none",
    answers: { 200: summary },
    errors: [],
  }),
};
