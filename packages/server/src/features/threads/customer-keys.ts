import { isSealable } from "@ironlease/age";
import { limits } from "@ironlease/contract";
import type { Kysely } from "kysely";
import { readSshPublicKey } from "#kernel/ssh-public-key.ts";
import type { Schema } from "#ports/schema.ts";

/** An SSH key of a customer, to whom operators can send a sealed message with it. */
export interface CustomerKey {
  /** As the customer saved it, or the server's host name. */
  readonly name: string;
  /** The server that was ordered with it. Null for a saved key. */
  readonly serverId: string | null;
  readonly publicKey: string;
  readonly type: string;
  readonly fingerprint: string;
  /** Whether age can encrypt to it. */
  readonly sealable: boolean;
}

interface ThreadOwner {
  readonly accountId: string;
  readonly serverId: string | null;
}

/** The keys of the thread's server, saved keys, and those of the account's latest servers, each once. */
export async function keysFor(
  db: Kysely<Schema>,
  { accountId, serverId }: ThreadOwner,
): Promise<readonly CustomerKey[]> {
  const servers = db
    .selectFrom("servers")
    .innerJoin("orders", "orders.id", "servers.order_id")
    .select(["servers.id as serverId", "servers.hostname as name"])
    .select("orders.ssh_public_key as publicKey")
    .where("servers.account_id", "=", accountId)
    .where("servers.state", "<>", "TERMINATED")
    .where("orders.ssh_public_key", "is not", null);
  const own = serverId === null ? [] : await servers.where("servers.id", "=", serverId).execute();
  const saved = await db
    .selectFrom("ssh_keys")
    .select(["name", "public_key as publicKey"])
    .where("account_id", "=", accountId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limits.sshKeysPerAccount)
    .execute();
  const others = await servers
    .orderBy("servers.created_at", "desc")
    .orderBy("servers.id", "desc")
    .limit(limits.listLength)
    .execute();
  const found = new Map<string, CustomerKey>();
  for (const row of [...own, ...saved.map((key) => ({ ...key, serverId: null })), ...others]) {
    const key = readSshPublicKey(row.publicKey ?? "");
    if (!key.ok || found.has(key.value.fingerprint)) continue;
    const name = row.name ?? row.serverId ?? "";
    found.set(key.value.fingerprint, {
      name,
      serverId: row.serverId,
      ...key.value,
      sealable: isSealable(key.value.type),
    });
  }
  return [...found.values()];
}
