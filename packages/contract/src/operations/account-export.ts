import { Type } from "typebox";
import { operation } from "../operation.ts";
import { id, nullableText, nullableTime, text, time, usd, words } from "../schemas.ts";
import { accounts } from "./accounts.ts";
import { activity } from "./activity.ts";
import { apiKeys } from "./api-keys.ts";
import { contacts } from "./contact.ts";
import { deposits } from "./deposits.ts";
import { idempotencyKeys } from "./idempotency-keys.ts";
import { ledger } from "./ledger.ts";
import { assignment } from "./network.ts";
import { notices } from "./notices.ts";
import { orders } from "./orders.ts";
import { passkeys } from "./passkeys.ts";
import { ddosModes, serverRecord } from "../server-fields.ts";
import { serverActions } from "./servers.ts";
import { sessions } from "./sessions.ts";
import { sshKeys } from "./ssh-keys.ts";
import { threads } from "./threads.ts";
import { webhooks } from "./webhooks.ts";
import { withdrawalAddresses } from "./withdrawal-addresses.ts";
import { withdrawalRecord } from "./withdrawals.ts";

const nullableUsd = Type.Unsafe<number | null>({
  type: ["number", "null"],
  description: "Amount in USD, with at most two decimals, or null.",
});

const account = Type.Object(
  {
    id: id("account"),
    username: Type.String(),
    createdAt: time,
    balanceUsd: usd,
    heldUsd: usd,
    secondFactor: accounts.readAccount.answers[200].properties.secondFactor,
    frozen: accounts.readAccount.answers[200].properties.frozen,
  },
  { title: "ExportedAccount" },
);

const mail = Type.Object(
  {
    id: id("mail"),
    kind: text("What the mail is about.", "SECURITY"),
    topic: text("What happened.", "account.password_changed"),
    recipient: Type.String({ examples: ["ada@example.com"] }),
    state: text("WAITING, SENT, REFUSED, EXPIRED or UNWANTED.", "SENT"),
    createdAt: time,
  },
  { title: "ExportedMail" },
);

const signInNetwork = Type.Object(
  { network: text("Where you signed in from.", "192.0.2.0/24"), lastSeenAt: time },
  { title: "SignInNetwork" },
);

const order = Type.Object(
  {
    ...orders.listOrders.answers[200].properties.orders.items.properties,
    sshPublicKey: nullableText(
      "The key that the order installs, or null.",
      "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIBOojv1y24EwqrsNLHAxVYcv/AVcREq3TaYNBolNo6C+ ada@laptop",
    ),
  },
  { title: "ExportedOrder" },
);

const exportedAssignment = Type.Object(
  { ...assignment.properties, createdAt: time, releasedAt: nullableTime },
  { title: "ExportedAssignment" },
);

const action = Type.Object(
  {
    id: id("action"),
    serverId: id("server"),
    action: words(serverActions),
    isoUrl: nullableText("The image of mount_iso, or null.", "https://images.example/debian.iso"),
    createdAt: time,
  },
  { title: "ExportedAction" },
);

const ddosRequest = Type.Object(
  {
    id: id("ddosRequest"),
    serverId: id("server"),
    mode: words(ddosModes),
    quoteUsd: nullableUsd,
    chargedUsd: nullableUsd,
    createdAt: time,
  },
  { title: "ExportedDdosRequest" },
);

const message = Type.Object(
  {
    threadId: id("thread"),
    ...threads.readThread.answers[200].properties.messages.items.properties,
  },
  { title: "ExportedMessage" },
);

const delivery = Type.Object(
  {
    webhookId: id("webhook"),
    ...webhooks.listDeliveries.answers[200].properties.deliveries.items.properties,
  },
  { title: "ExportedDelivery" },
);

const keyRecord = Type.Object(
  {
    key: text("The `Idempotency-Key` that you sent.", "order-2026-11-15"),
    ...idempotencyKeys.findIdempotencyKey.answers[200].properties.records.items.properties,
  },
  { title: "ExportedKeyRecord" },
);

const exported = Type.Object(
  {
    exportedAt: { ...time, description: "When the export began. Later changes may be missing." },
    account,
    contact: contacts.readContact.answers[200],
    withdrawalLock: withdrawalAddresses.readWithdrawalLock.answers[200],
    sessions: sessions.listSessions.answers[200].properties.sessions,
    signInNetworks: Type.Array(signInNetwork),
    passkeys: passkeys.listPasskeys.answers[200].properties.passkeys,
    apiKeys: apiKeys.listApiKeys.answers[200].properties.apiKeys,
    sshKeys: sshKeys.listSshKeys.answers[200].properties.sshKeys,
    withdrawalAddresses:
      withdrawalAddresses.listWithdrawalAddresses.answers[200].properties.withdrawalAddresses,
    webhooks: webhooks.listWebhooks.answers[200].properties.webhooks,
    deliveries: Type.Array(delivery),
    notices: notices.listNotices.answers[200].properties.notices,
    mails: Type.Array(mail),
    orders: Type.Array(order),
    servers: Type.Array(serverRecord, { description: "Including terminated ones." }),
    assignments: Type.Array(exportedAssignment, { description: "Including released ones." }),
    actions: Type.Array(action),
    ddosRequests: Type.Array(ddosRequest),
    depositAddresses: deposits.listDepositAddresses.answers[200].properties.depositAddresses,
    deposits: deposits.listDeposits.answers[200].properties.deposits,
    withdrawals: Type.Array(withdrawalRecord),
    ledger: ledger.readLedger.answers[200].properties.entries,
    threads: threads.listThreads.answers[200].properties.threads,
    messages: Type.Array(message, { description: "Sealed ones as the sealed text." }),
    activity: activity.listActivity.answers[200].properties.entries,
    idempotencyKeys: Type.Array(keyRecord),
  },
  { title: "AccountExport" },
);

export const accountExport = {
  exportAccount: operation({
    listener: "account",
    tag: "Access",
    method: "GET",
    path: "/api/v1/account-export",
    summary: "Export the account's data",
    description:
      "Everything that the service stores about the account, as one streamed JSON document of complete lists. It contains no secrets, such as hashes of passwords and keys, and no names of operators. A response without its end is incomplete.",
    extension: true,
    access: { kind: "session", scopes: [] },
    idempotency: "none",
    streamed: ["json"],
    attachment: true,
    answers: { 200: exported },
    errors: ["rate_limited"],
  }),
};
