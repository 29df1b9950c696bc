import { usdFromCents, type AnswerOf, type Operations } from "@ironlease/contract";
import { beginExport, type ExportedAccount } from "#features/account-export/begin-export.ts";
import * as own from "#features/account-export/own-rows.ts";
import { listActivity } from "#features/activity/list-activity.ts";
import { listApiKeys } from "#features/api-keys/list-api-keys.ts";
import { readContact } from "#features/contact/contact-record.ts";
import { listAccountServers, listAccountWithdrawals } from "#features/customers/account-lists.ts";
import { listDeposits } from "#features/deposits/list-deposits.ts";
import { listKeys, type ListedKey } from "#features/idempotency-keys/find-key.ts";
import { listEntries } from "#features/ledger/list-entries.ts";
import { listNotices } from "#features/notices/list-notices.ts";
import { listOrders, type OrderRecord } from "#features/orders/list-orders.ts";
import { listPasskeys } from "#features/passkeys/list-passkeys.ts";
import type { AccountSession } from "#features/sessions/authenticate-session.ts";
import { listSessions } from "#features/sessions/list-sessions.ts";
import { listSshKeys } from "#features/ssh-keys/list-ssh-keys.ts";
import { listAllDeliveries } from "#features/webhooks/list-deliveries.ts";
import { listWebhooks } from "#features/webhooks/list-webhooks.ts";
import { listWithdrawalAddresses } from "#features/withdrawal-addresses/list-addresses.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime, isoTimeOrNull } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import { readLock } from "#kernel/withdrawal-guard.ts";
import { jsonStream } from "#http/answers/json-stream.ts";
import type { Handlers } from "#http/bind.ts";
import { apiKeyOnWire } from "./api-keys.ts";
import { contactOnWire } from "./contact.ts";
import { depositOnWire } from "./deposits.ts";
import { entryOnWire } from "./ledger.ts";
import { assignmentOnWire } from "./network.ts";
import { noticeOnWire } from "./notices.ts";
import { orderOnWire } from "./orders.ts";
import { passkeyOnWire } from "./passkeys.ts";
import { serverOnWire } from "./servers.ts";
import { sessionOnWire } from "./sessions.ts";
import { sshKeyOnWire } from "./ssh-keys.ts";
import { messageOnWire, threadOnWire } from "./threads.ts";
import { deliveryOnWire, webhookOnWire } from "./webhooks.ts";
import { addressOnWire, lockOnWire } from "./withdrawal-addresses.ts";
import { withdrawalOnWire } from "./withdrawals.ts";

type Exported = AnswerOf<Operations["exportAccount"]>["body"];

/** Every member of the document. A list is read while it is sent. */
type Members = {
  readonly [Name in keyof Exported]: Exported[Name] extends readonly (infer Row)[]
    ? AsyncIterable<readonly Row[]>
    : Exported[Name];
};

export function accountExportHandlers(core: Core): Handlers<"exportAccount"> {
  return {
    exportAccount: async ({ caller, session }) => {
      const account = await beginExport(core, caller);
      if (!account.ok) return account;
      const members = await membersOf(core, session, account.value);
      return ok({
        status: 200,
        contentType: "application/json; charset=utf-8",
        fileName: `ironlease-${members.exportedAt.slice(0, 10)}.json`,
        chunks: jsonStream(Object.entries(members)),
      });
    },
  };
}

async function membersOf(
  core: Core,
  session: AccountSession,
  account: ExportedAccount,
): Promise<Members> {
  const { accountId } = session;
  const now = core.clock.now();
  const rows = <Row extends WithId, Wire>(
    list: (core: Core, page: { accountId: string; after: string }) => Promise<readonly Row[]>,
    onWire: (row: Row) => Wire,
  ) => everyPage((last) => list(core, { accountId, after: last?.id ?? "" }), onWire);
  const newestFirst = <Row extends WithId, Wire>(
    list: (core: Core, accountId: string, after?: string) => Promise<readonly Row[]>,
    onWire: (row: Row) => Wire,
  ) => everyPage((last) => list(core, accountId, last?.id), onWire);
  return {
    exportedAt: isoTime(now),
    account: accountOnWire(account),
    contact: contactOnWire(await readContact(core, accountId), core),
    withdrawalLock: lockOnWire(await readLock(core.db.read, accountId, now)),
    sessions: onePage(() => listSessions(core, session), sessionOnWire),
    signInNetworks: rows(own.listNetworks, ({ id, seenAt }) => ({
      network: id,
      lastSeenAt: isoTime(seenAt),
    })),
    passkeys: onePage(() => listPasskeys(core, { side: "account", id: accountId }), passkeyOnWire),
    apiKeys: onePage(() => listApiKeys(core, accountId), apiKeyOnWire),
    sshKeys: onePage(() => listSshKeys(core, accountId), sshKeyOnWire),
    withdrawalAddresses: onePage(() => listWithdrawalAddresses(core, accountId), addressOnWire),
    webhooks: onePage(() => listWebhooks(core, accountId), webhookOnWire),
    deliveries: deliveriesOf(core, accountId),
    notices: onePage(() => listNotices(core, accountId), noticeOnWire),
    mails: rows(own.listMails, created),
    orders: ordersOf(core, accountId),
    servers: newestFirst(listAccountServers, serverOnWire),
    assignments: rows(own.listAllAssignments, ({ createdAt, releasedAt, ...assignment }) => ({
      ...assignmentOnWire(core)(assignment),
      createdAt: isoTime(createdAt),
      releasedAt: isoTimeOrNull(releasedAt),
    })),
    actions: rows(own.listActions, (row) => created(row) as Exported["actions"][number]),
    ddosRequests: rows(own.listDdosRequests, ({ quoteCents, chargedCents, ...request }) => ({
      ...created(request),
      quoteUsd: usdOrNull(quoteCents),
      chargedUsd: usdOrNull(chargedCents),
    })),
    depositAddresses: rows(
      own.listAllDepositAddresses,
      (row) => created(row) as Exported["depositAddresses"][number],
    ),
    deposits: newestFirst(listDeposits, depositOnWire),
    withdrawals: newestFirst(listAccountWithdrawals, withdrawalOnWire),
    ledger: newestFirst(
      (entriesOf, id, after) => listEntries(entriesOf, id, { after }),
      entryOnWire,
    ),
    threads: rows(own.listAllThreads, threadOnWire),
    messages: rows(own.listMessages, ({ threadId, ...message }) => ({
      threadId,
      ...messageOnWire(message),
    })),
    activity: newestFirst(listActivity, (entry) => ({ ...entry, at: isoTime(entry.at) })),
    idempotencyKeys: everyPage((last?: ListedKey) => listKeys(core, accountId, last), created),
  };
}

interface WithId {
  readonly id: string;
}

/** Reads a page once the one before has been sent, until a page is empty. */
async function* everyPage<Row, Wire>(
  list: (last: Row | undefined) => Promise<readonly Row[]>,
  onWire: (row: Row) => Wire,
): AsyncGenerator<readonly Wire[]> {
  let last: Row | undefined;
  for (;;) {
    const rows = await list(last);
    if (rows.length === 0) return;
    yield rows.map(onWire);
    last = rows.at(-1);
  }
}

/** For lists that the limits of the account bound. */
async function* onePage<Row, Wire>(
  list: () => Promise<readonly Row[]>,
  onWire: (row: Row) => Wire,
): AsyncGenerator<readonly Wire[]> {
  const rows = await list();
  yield rows.map(onWire);
}

async function* ordersOf(core: Core, accountId: string): AsyncGenerator<Exported["orders"]> {
  const pages = everyPage<OrderRecord, OrderRecord>(
    (last) => listOrders(core, accountId, last?.id),
    (order) => order,
  );
  for await (const page of pages) {
    const ids = page.map(({ id }) => id);
    const keys = await own.readOrderKeys(core, accountId, ids);
    yield page.map((order) => ({
      ...orderOnWire(order),
      sshPublicKey: keys.get(order.id) ?? null,
    }));
  }
}

async function* deliveriesOf(
  core: Core,
  accountId: string,
): AsyncGenerator<Exported["deliveries"]> {
  for (const { id: webhookId } of await listWebhooks(core, accountId)) {
    const list = (last: WithId | undefined) =>
      listAllDeliveries(core, { accountId, webhookId, after: last?.id ?? "" });
    const pages = everyPage(list, (row) => ({ webhookId, ...deliveryOnWire(row) }));
    for await (const page of pages) yield [...page];
  }
}

function accountOnWire(account: ExportedAccount): Exported["account"] {
  const { id, username, createdAt, balanceCents, heldCents } = account;
  const { totpSecret, frozenAt, frozenReason } = account;
  return {
    id,
    username,
    createdAt: isoTime(createdAt),
    balanceUsd: usdFromCents(balanceCents),
    heldUsd: usdFromCents(heldCents),
    ...(totpSecret !== null && { secondFactor: "on" as const }),
    ...(frozenAt !== null && { frozen: { reason: frozenReason ?? "", since: isoTime(frozenAt) } }),
  };
}

function created<Row extends { readonly createdAt: number }>(row: Row) {
  return { ...row, createdAt: isoTime(row.createdAt) };
}

function usdOrNull(cents: number | null): number | null {
  return cents === null ? null : usdFromCents(cents);
}
