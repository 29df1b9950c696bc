import { lockAccount } from "#kernel/access/accounts.ts";
import { audit } from "#kernel/audit.ts";
import type { Client, Core } from "#kernel/core.ts";
import { once, type Intent, type RecordedAnswer } from "#kernel/idempotency.ts";
import type { Tx } from "#ports/db.ts";
import { ok, refuse, type Result } from "#ports/result.ts";
import {
  SettlementFailed,
  SettlementUnavailable,
  type Asset,
  type Settlement,
  type SettlementMode,
} from "#ports/settlement.ts";
import { keepAddress, recordIntent, type AddressIntent } from "./address-intents.ts";
import { boundedCall } from "#kernel/concurrency/deadline.ts";

export interface DepositAddress {
  readonly address: string;
  readonly asset: Asset;
  readonly network: string;
  readonly confirmationsRequired: number;
  readonly mode: SettlementMode;
}

/**
 * Hands out an address to pay to. The provider is asked between two transactions: the first records
 * under which reference, so that a retry after a crash asks for the same address; the second keeps
 * the address with the answer. When the provider fails, the key stays free.
 */
export async function createDepositAddress(
  core: Core,
  client: Client,
  accountId: string,
  intent: Intent,
  request: { readonly asset: Asset },
): Promise<Result<RecordedAnswer<DepositAddress>>> {
  const { asset } = request;
  if (await isUsed(core.db.read, accountId, intent)) {
    return core.db.write((tx) => once(tx, core, accountId, intent, { asset }, neverAgain));
  }
  const { settlement } = core;
  const connected = settlement?.assets.get(asset);
  if (settlement === undefined || connected === undefined) return refuse("settlement_unavailable");

  const { mode } = settlement;
  const wanted: AddressIntent = { accountId, key: intent.key, asset, mode, connected };
  const reference = await recordIntent(core, wanted);
  if (!reference.ok) return reference;
  const address = await askProvider(settlement, asset, reference.value);
  if (!address.ok) return address;
  return handOut(core, client, intent, wanted, reference.value, address.value);
}

/** The key look-up wins over the provider's trouble: a replay does not need the provider. */
async function isUsed(db: Tx, accountId: string, intent: Intent): Promise<boolean> {
  const row = await db
    .selectFrom("idempotency_keys")
    .select("key")
    .where("owner_id", "=", accountId)
    .where("operation", "=", intent.operation)
    .where("key", "=", intent.key)
    .executeTakeFirst();
  return row !== undefined;
}

function neverAgain(): never {
  throw new Error("the row of a used key is gone");
}

/** Printable and bounded; whether it is an address of its coin is the provider's to know. */
const plausibleAddress = /^[\x21-\x7e]{1,200}$/;

async function askProvider(
  settlement: Settlement,
  asset: Asset,
  reference: string,
): Promise<Result<string>> {
  try {
    const address = await boundedCall(settlement.answerMs, (signal) =>
      settlement.createAddress(asset, reference, signal),
    );
    return plausibleAddress.test(address) ? ok(address) : refuse("settlement_failed");
  } catch (error) {
    if (error instanceof SettlementFailed) return refuse("settlement_failed");
    if (error instanceof SettlementUnavailable) return refuse("settlement_unavailable");
    throw error;
  }
}

function handOut(
  core: Core,
  client: Client,
  intent: Intent,
  wanted: AddressIntent,
  reference: string,
  address: string,
): Promise<Result<RecordedAnswer<DepositAddress>>> {
  const { accountId, asset, mode, connected } = wanted;
  const { network, confirmationsRequired } = connected;
  return core.db.write(
    async (tx) => {
      // Before the key's row, which refers to the account: two keys that each had their row and then
      // wanted the lock would wait for each other. A key that is used by now changes nothing.
      if (!(await isUsed(tx, accountId, intent))) await lockAccount(tx, accountId);
      return once(tx, core, accountId, intent, { asset }, async () => {
        const kept = await keepAddress(tx, wanted, reference, address);
        if (!kept.ok) return kept;
        await audit(tx, core, {
          actor: accountId,
          action: "deposit_address.create",
          subject: reference,
          detail: { asset, network, mode, address },
          ipAddress: client.ipAddress,
        });
        const body = { address, asset, network, confirmationsRequired, mode };
        return ok({ status: 201, body });
      });
    },
    // An address that somebody has already would credit one customer's money to another.
    { deposit_addresses_network_address_unique: { code: "settlement_failed" } },
  );
}
