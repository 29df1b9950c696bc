import type { Scope } from "@ironlease/contract";
import type { Core } from "#kernel/core.ts";
import { touchApiKey } from "#kernel/access/api-keys.ts";
import { hashSecret } from "#kernel/access/secrets.ts";
import { allowsAddress, networksIn } from "#kernel/access/allowed-networks.ts";
import { listChanges, listsVersion } from "#kernel/lists-version.ts";
import type { Tx } from "#ports/db.ts";
import { preparedLookup } from "#kernel/sql/prepared.ts";
import { ok } from "#kernel/result.ts";
import { isKeyValue } from "./key-value.ts";

export interface AccountKey {
  readonly keyId: string;
  readonly accountId: string;
  readonly username: string;
  /** Changes whenever the account's ledger or lists change. */
  readonly listsVersion: string;
  readonly scope: Scope;
}

const touchEveryMs = 60_000;

const findKey = preparedLookup(["tokenHash"], (db, { tokenHash }: { tokenHash: string }) =>
  db
    .selectFrom("api_keys")
    .innerJoin("accounts", "accounts.id", "api_keys.account_id")
    .innerJoin("balances", "balances.account_id", "api_keys.account_id")
    .select([
      "api_keys.id as keyId",
      "api_keys.account_id as accountId",
      "accounts.username",
      listChanges.as("listChanges"),
      "api_keys.scope",
      "api_keys.expires_at as expiresAt",
      "api_keys.last_used_at as lastUsedAt",
      "api_keys.allowed_networks as allowedNetworks",
    ])
    .where("api_keys.token_hash", "=", tokenHash),
);

/** Finds the valid API key with this value, if it may be used from this address. */
export async function authenticateApiKey(
  core: Core,
  value: string,
  ipAddress: () => string,
): Promise<AccountKey | undefined> {
  if (!isKeyValue(value)) return undefined;
  const now = core.clock.now();
  const key = await findKey(core.db.read, { tokenHash: hashSecret(value) });
  if (key === undefined || (key.expiresAt !== null && now >= key.expiresAt)) return undefined;
  const networks = networksIn(key.allowedNetworks);
  if (networks !== null && !allowsAddress(networks, ipAddress())) return undefined;
  const version = listsVersion(core.db, key.listChanges);
  const lastUsedAt = core.lastUse.latest(key.keyId, key.lastUsedAt ?? 0);
  if (now >= lastUsedAt + touchEveryMs) {
    core.lastUse.note(key.keyId, now, (at) => touchKey(core, key, at));
  }
  return { ...key, scope: key.scope as Scope, listsVersion: version };
}

function touchKey(
  core: Core,
  { keyId, accountId }: Pick<AccountKey, "keyId" | "accountId">,
  now: number,
): Promise<unknown> {
  const touch = async (tx: Tx) => {
    await touchApiKey(tx, { keyId, now, everyMs: touchEveryMs });
    return ok();
  };
  return core.db.write(touch, undefined, accountId);
}
