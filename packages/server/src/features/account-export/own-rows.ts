import { limits } from "@ironlease/contract";
import { sql } from "kysely";
import { assignmentColumns } from "#kernel/assignment-record.ts";
import type { Core } from "#kernel/core.ts";
import { shownAt } from "#kernel/sealed-texts.ts";

/**
 * Lists that have no operation of their own, or one that ends after 100 rows. Each function reads a page in the order
 * of an index; `after` is the last id of the previous page, and sorts before every id if it is empty.
 */

interface Page {
  readonly accountId: string;
  readonly after: string;
}

export function listNetworks({ db }: Core, { accountId, after }: Page) {
  return db.read
    .selectFrom("seen_networks")
    .select(["network as id", "seen_at as seenAt"])
    .where("account_id", "=", accountId)
    .where("network", ">", after)
    .orderBy("network")
    .limit(limits.listLength)
    .execute();
}

export function listMails({ db }: Core, { accountId, after }: Page) {
  return db.read
    .selectFrom("mails")
    .select(["id", "kind", "topic", "recipient", "state", "created_at as createdAt"])
    .where("account_id", "=", accountId)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limits.listLength)
    .execute();
}

/** The SSH keys of these orders of the account. */
export async function readOrderKeys(
  { db }: Core,
  accountId: string,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const rows = await db.read
    .selectFrom("orders")
    .select(["id", "ssh_public_key as sshPublicKey"])
    .where("id", "in", orderIds)
    .where("account_id", "=", accountId)
    .execute();
  return new Map(rows.map(({ id, sshPublicKey }) => [id, sshPublicKey]));
}

/** Including released addresses. */
export function listAllAssignments({ db }: Core, { accountId, after }: Page) {
  const last = sql`(select created_at from assignments where id = ${after} and account_id = ${accountId})`;
  let page = db.read
    .selectFrom("assignments")
    .leftJoin("published_ptrs", "published_ptrs.address", "assignments.address")
    .select(assignmentColumns)
    .select(["assignments.created_at as createdAt", "assignments.released_at as releasedAt"])
    .where("assignments.account_id", "=", accountId)
    .orderBy("assignments.created_at")
    .orderBy("assignments.id")
    .limit(limits.listLength);
  if (after !== "") {
    page = page.where(sql<boolean>`(assignments.created_at, assignments.id) > (${last}, ${after})`);
  }
  return page.execute();
}

export function listActions({ db }: Core, { accountId, after }: Page) {
  return db.read
    .selectFrom("actions")
    .select(["id", "server_id as serverId", "action", "iso_url as isoUrl"])
    .select("created_at as createdAt")
    .where("account_id", "=", accountId)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limits.listLength)
    .execute();
}

export function listDdosRequests({ db }: Core, { accountId, after }: Page) {
  return db.read
    .selectFrom("ddos_requests")
    .select(["id", "server_id as serverId", "mode", "quote_cents as quoteCents"])
    .select(["charged_cents as chargedCents", "created_at as createdAt"])
    .where("account_id", "=", accountId)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limits.listLength)
    .execute();
}

export function listAllDepositAddresses({ db }: Core, { accountId, after }: Page) {
  return (
    db.read
      .selectFrom("deposit_addresses")
      .select(["id", "address", "asset", "network", "mode", "created_at as createdAt"])
      .select((eb) =>
        eb
          .selectFrom("deposits")
          .select((count) => count.fn.countAll<number>().as("count"))
          .whereRef("deposits.address_id", "=", "deposit_addresses.id")
          .as("deposits"),
      )
      .where("account_id", "=", accountId)
      // A request that the provider has not answered has no address yet.
      .where("address", "is not", null)
      .where("id", ">", after)
      .orderBy("id")
      .limit(limits.listLength)
      .execute()
  );
}

export function listAllThreads({ db }: Core, { accountId, after }: Page) {
  return db.read
    .selectFrom("threads")
    .select(["id", "subject", "server_id as serverId", "state", "created_at as createdAt"])
    .select(["last_message_at as lastMessageAt", "customer_unread as unread"])
    .where("account_id", "=", accountId)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limits.listLength)
    .execute();
}

/** Without the operators' names. */
export async function listMessages({ db, clock }: Core, { accountId, after }: Page) {
  const rows = await db.read
    .selectFrom("messages")
    .leftJoin("sealed_texts", "sealed_texts.message_id", "messages.id")
    .select(["messages.id", "messages.thread_id as threadId", "messages.sender as from"])
    .select(["messages.created_at as createdAt", "messages.text", "sealed_texts.fingerprint"])
    .select(["sealed_texts.ciphertext", "sealed_texts.expires_at as expiresAt"])
    .where("messages.account_id", "=", accountId)
    .where("messages.id", ">", after)
    .orderBy("messages.id")
    .limit(limits.listLength)
    .execute();
  const now = clock.now();
  return rows.map(({ fingerprint, ciphertext, expiresAt, ...message }) => ({
    ...message,
    operator: null,
    sealed: fingerprint === null ? undefined : shownAt(now, { fingerprint, ciphertext, expiresAt }),
  }));
}
