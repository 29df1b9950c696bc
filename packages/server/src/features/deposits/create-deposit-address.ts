import { lockAccount } from "#kernel/access/accounts.ts";
import { audit } from "#kernel/audit.ts";
import type { CustomerCall, Keyed } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { once, type RecordedAnswer } from "#kernel/idempotency.ts";
import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import {
  SettlementFailed,
  SettlementUnavailable,
  type Asset,
  type Settlement,
  type SettlementMode,
} from "#ports/settlement.ts";
import { keepAddress, recordIntent, type AddressIntent } from "./address-intents.ts";
import { callProvider } from "./provider-deadline.ts";

export interface DepositAddress {
  readonly address: string;
  readonly asset: Asset;
  readonly network: string;
  readonly confirmationsRequired: number;
  readonly mode: SettlementMode;
}

/**
 * Creates a deposit address. The provider is called between two transactions: the first records the reference, so
 * that a retry after a crash gets the same address, and the second stores the address and the answer. If the provider
 * fails, the key stays unused.
 */
export async function createDepositAddress(
  core: Core,
  call: Keyed<CustomerCall>,
  { asset }: { readonly asset: Asset },
): Promise<Result<RecordedAnswer<DepositAddress>>> {
  if (await isUsed(core.db.read, call)) {
    return core.db.write((tx) => once({ tx, core, call }, { asset }, neverAgain));
  }
  const { settlement } = core;
  const connected = settlement?.assets.get(asset);
  if (settlement === undefined || connected === undefined) return refuse("settlement_unavailable");

  const { mode } = settlement;
  const { accountId, intent } = call;
  const wanted: AddressIntent = { accountId, key: intent.key, asset, mode, connected };
  const reference = await recordIntent(core, wanted);
  if (!reference.ok) return reference;
  const address = await askProvider(settlement, asset, reference.value);
  if (!address.ok) return address;
  return handOut(core, call, wanted, { reference: reference.value, address: address.value });
}

/** Checked before the provider, because a replay does not need it. */
async function isUsed(db: Tx, { accountId, intent }: Keyed<CustomerCall>): Promise<boolean> {
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

/** Printable and of bounded length. Whether it is valid for its coin, only the provider knows. */
const plausibleAddress = /^[\x21-\x7e]{1,200}$/;

async function askProvider(
  settlement: Settlement,
  asset: Asset,
  reference: string,
): Promise<Result<string>> {
  try {
    const address = await callProvider(settlement, (signal) =>
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
  call: Keyed<CustomerCall>,
  wanted: AddressIntent,
  { reference, address }: { readonly reference: string; readonly address: string },
): Promise<Result<RecordedAnswer<DepositAddress>>> {
  const { accountId, asset, mode, connected } = wanted;
  const { network, confirmationsRequired } = connected;
  return core.db.write(
    async (tx) => {
      // Locked before the key's row, which references the account: two requests that each hold a key's row and wait
      // for this lock would deadlock. A used key needs no lock.
      if (!(await isUsed(tx, call))) await lockAccount(tx, accountId);
      const step = { tx, core, call };
      return once(step, { asset }, async () => {
        const kept = await keepAddress(tx, wanted, reference, address);
        if (!kept.ok) return kept;
        const detail = { asset, network, mode, address };
        await audit(step, "deposit_address.create", reference, detail);
        const body = { address, asset, network, confirmationsRequired, mode };
        return ok({ status: 201, body });
      });
    },
    // An address that is already assigned would credit one customer's money to another.
    { deposit_addresses_network_address_unique: { code: "settlement_failed" } },
  );
}
