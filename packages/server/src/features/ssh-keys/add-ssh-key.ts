import { limits } from "@ironlease/contract";
import { lockAccount } from "#kernel/access/accounts.ts";
import { audit } from "#kernel/audit.ts";
import type { CustomerCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { readSshPublicKey } from "#kernel/ssh-public-key.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse, refuseField } from "#kernel/result.ts";
import type { SshKeyRecord } from "./list-ssh-keys.ts";

/** Saves a public key for use in orders. */
export async function addSshKey(
  core: Core,
  call: CustomerCall,
  input: { readonly name: string; readonly publicKey: string },
): Promise<Result<SshKeyRecord>> {
  const { accountId } = call;
  const read = readSshPublicKey(input.publicKey);
  if (!read.ok) return refuseField("publicKey", read.message);

  const record: SshKeyRecord = {
    id: core.ids.next("sshKey"),
    name: input.name,
    publicKey: read.value.publicKey,
    fingerprint: read.value.fingerprint,
    createdAt: core.clock.now(),
  };
  return core.db.write(async (tx) => {
    await lockAccount(tx, accountId);
    const { saved } = await tx
      .selectFrom("ssh_keys")
      .select((eb) => eb.fn.countAll<number>().as("saved"))
      .where("account_id", "=", accountId)
      .executeTakeFirstOrThrow();
    if (saved >= limits.sshKeysPerAccount) return refuse("limit_reached");
    await tx
      .insertInto("ssh_keys")
      .values({
        id: record.id,
        account_id: accountId,
        name: record.name,
        public_key: record.publicKey,
        fingerprint: record.fingerprint,
        created_at: record.createdAt,
      })
      .execute();
    const { fingerprint } = record;
    await audit({ tx, core, call }, "ssh_key.add", record.id, { fingerprint });
    return ok(record);
  });
}
