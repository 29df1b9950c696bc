import { limits, type Scope } from "@ironlease/contract";
import { lockAccount } from "#kernel/access/accounts.ts";
import { addApiKey, deleteExpiredApiKeys } from "#kernel/access/api-keys.ts";
import { audit } from "#kernel/audit.ts";
import type { CustomerCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { readUtcTime } from "#kernel/iso-time.ts";
import { readNetworks } from "#kernel/access/allowed-networks.ts";
import { tellContact } from "#kernel/mails.ts";
import { hashSecret } from "#kernel/access/secrets.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse, refuseField } from "#kernel/result.ts";
import { newKeyValue, prefixLength } from "./key-value.ts";
import type { ApiKeyRecord } from "./list-api-keys.ts";

/** Creates a key. Its value is shown only here. */
export async function createApiKey(
  core: Core,
  call: CustomerCall,
  input: {
    readonly name: string;
    readonly scope: Scope;
    readonly expiresAt: string | null | undefined;
    readonly allowedNetworks?: readonly string[] | null | undefined;
  },
): Promise<Result<ApiKeyRecord & { readonly key: string }>> {
  const { accountId } = call;
  const now = core.clock.now();
  const expiresAt = readExpiry(input.expiresAt, now);
  if (!expiresAt.ok) return expiresAt;
  const networks = readNetworks(input.allowedNetworks);
  if (!networks.ok) return networks;

  const key = newKeyValue(core.random);
  const record: ApiKeyRecord = {
    id: core.ids.next("apiKey"),
    name: input.name,
    scope: input.scope,
    prefix: key.slice(0, prefixLength),
    createdAt: now,
    expiresAt: expiresAt.value,
    lastUsedAt: null,
    allowedNetworks: networks.value,
  };
  return core.db.write(async (tx) => {
    const step = { tx, core, call };
    await lockAccount(tx, accountId);
    const keys = await tx
      .selectFrom("api_keys")
      .select("expires_at")
      .where("account_id", "=", accountId)
      .execute();
    if (keys.length >= limits.apiKeysPerAccount) {
      // Expired keys stay listed while there is room. At the limit they are deleted to make room.
      const displaced = await deleteExpiredApiKeys(tx, accountId, now);
      if (displaced.length === 0) return refuse("limit_reached");
      for (const id of displaced) {
        await audit(step, "api_key.displace", id);
      }
    }
    await addApiKey(tx, {
      id: record.id,
      account_id: accountId,
      name: record.name,
      scope: record.scope,
      prefix: record.prefix,
      token_hash: hashSecret(key),
      created_at: now,
      expires_at: record.expiresAt,
      last_used_at: null,
      allowed_networks: record.allowedNetworks && JSON.stringify(record.allowedNetworks),
    });
    await tellContact(step, accountId, { kind: "SECURITY", topic: "api_key.created" });
    const { scope, allowedNetworks } = record;
    const only = allowedNetworks === null ? {} : { allowedNetworks: allowedNetworks.join(" ") };
    const detail = { scope, expiresAt: record.expiresAt, ...only };
    await audit(step, "api_key.create", record.id, detail);
    return ok({ ...record, key });
  });
}

function readExpiry(text: string | null | undefined, now: number): Result<number | null> {
  if (text === null || text === undefined) return ok(null);
  const expiresAt = readUtcTime(text);
  if (expiresAt === undefined) {
    return refuseField(
      "expiresAt",
      "must be a time in UTC such as 2027-01-31T00:00:00.000Z, or null",
    );
  }
  if (expiresAt <= now) return refuseField("expiresAt", "must be in the future");
  return ok(expiresAt);
}
