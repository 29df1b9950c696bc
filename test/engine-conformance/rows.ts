import type { Db, Tx } from "#server/ports/db.ts";
import type { Schema } from "#server/ports/schema.ts";

/** Rate-limit rows serve as counters: a key, and a number that a CHECK keeps from going below 0. */
export async function addCounter(tx: Tx, key: string, count = 0): Promise<void> {
  await tx.insertInto("rate_limits").values({ key, count, window_ends_at: 0 }).execute();
}

export async function countOf(db: Db, key: string): Promise<number | undefined> {
  const query = db.read.selectFrom("rate_limits").select("count").where("key", "=", key);
  return (await query.executeTakeFirst())?.count;
}

/** The keys with this prefix, so that tests can share a database. */
export async function keysOf(db: Db, prefix: string): Promise<readonly string[]> {
  const query = db.read.selectFrom("rate_limits").select("key");
  const rows = await query.where("key", "like", `${prefix}%`).orderBy("key").execute();
  return rows.map((row) => row.key);
}

export function accountRow(id: string, username = id): Schema["accounts"] {
  const open = { frozen_at: null, frozen_reason: null, closed_at: null };
  const noSecondFactor = { totp_secret: null, totp_pending: null, totp_last_step: null };
  const about = { username, password_hash: "", recovery_hash: "", created_at: 0 };
  return { id, ...about, ...open, ...noSecondFactor };
}

export function sshKeyRow(id: string, accountId: string): Schema["ssh_keys"] {
  const about = { name: id, public_key: "", fingerprint: "", created_at: 0 };
  return { id, account_id: accountId, ...about };
}

export function apiKeyRow(id: string, accountId: string, scope: string): Schema["api_keys"] {
  const about = { name: id, prefix: "", token_hash: id, created_at: 0 };
  const unset = { expires_at: null, last_used_at: null, allowed_networks: null };
  return { id, account_id: accountId, scope, ...about, ...unset };
}
