import type { Core } from "#kernel/core.ts";

export interface SshKeyRecord {
  readonly id: string;
  readonly name: string;
  readonly publicKey: string;
  readonly fingerprint: string;
  readonly createdAt: number;
}

/** The account's saved public keys, newest first. The key limit bounds the list. */
export async function listSshKeys(core: Core, accountId: string): Promise<readonly SshKeyRecord[]> {
  return core.db.read
    .selectFrom("ssh_keys")
    .select(["id", "name", "public_key as publicKey", "fingerprint", "created_at as createdAt"])
    .where("account_id", "=", accountId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
}
