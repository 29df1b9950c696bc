import type { Scope } from "@ironlease/contract";
import { networksIn } from "#kernel/access/allowed-networks.ts";
import type { Core } from "#kernel/core.ts";

export interface ApiKeyRecord {
  readonly id: string;
  readonly name: string;
  readonly scope: Scope;
  readonly prefix: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  /** Null: anywhere. */
  readonly allowedNetworks: readonly string[] | null;
}

/** The account's keys, newest first, without their values. The key limit bounds the list. */
export async function listApiKeys(core: Core, accountId: string): Promise<readonly ApiKeyRecord[]> {
  const rows = await core.db.read
    .selectFrom("api_keys")
    .select([
      "id",
      "name",
      "scope",
      "prefix",
      "created_at as createdAt",
      "expires_at as expiresAt",
      "last_used_at as lastUsedAt",
      "allowed_networks as allowedNetworks",
    ])
    .where("account_id", "=", accountId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
  return rows.map((row) => ({
    ...row,
    scope: row.scope as Scope,
    allowedNetworks: networksIn(row.allowedNetworks),
  }));
}
