import { lockAccount } from "#kernel/access/accounts.ts";
import { audit } from "#kernel/audit.ts";
import type { CustomerCall, Keyed } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { once, type RecordedAnswer } from "#kernel/idempotency.ts";
import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import {
  callChain,
  confirmationsNeeded,
  connectedAsset,
  refusingOutages,
} from "#kernel/settlement.ts";
import {
  SettlementFailed,
  SettlementUnavailable,
  type Asset,
  type SettlementMode,
} from "#ports/settlement.ts";
import { recordIntent, storeAddress, type AddressIntent } from "./address-intents.ts";
import { lastScanAt } from "./chain-cursor.ts";

export interface DepositAddress {
  readonly address: string;
  readonly asset: Asset;
  readonly network: string;
  readonly confirmationsRequired: number;
  readonly mode: SettlementMode;
}

/**
 * Creates a deposit address. The node is called outside the two transactions: the first takes a derivation index, so
 * that a retry after a crash gets the same address, and the second stores the address and the answer. If the node
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
  const connected = connectedAsset(core.settlement, asset);
  if (core.settlement === undefined || connected === undefined) {
    return refuse("settlement_unavailable");
  }
  const { mode } = core.settlement;
  const { accountId, intent } = call;
  const wanted: AddressIntent = { accountId, key: intent.key, asset, mode, ...connected };
  const ready = await refusingOutages(async () => ok(await checkChain(core, wanted)));
  if (!ready.ok) return ready;
  const recorded = await recordIntent(core, wanted);
  if (!recorded.ok) return recorded;
  const { id, index } = recorded.value;
  const address = await refusingOutages(async () => ok(await deriveAddress(wanted, index)));
  if (!address.ok) return address;
  return handOut(core, call, wanted, { id, address: address.value });
}

/** Checked before the node, because a replay does not need it. */
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

/** Refuses an address whose payments the service could not see, before anything is recorded. */
async function checkChain(core: Core, { mode, chain }: AddressIntent): Promise<void> {
  const { behindBlocks } = await callChain(chain, (signal) => chain.health(signal));
  if (behindBlocks > chain.maxBehindBlocks) {
    throw new SettlementUnavailable(`${chain.network} is ${behindBlocks} blocks behind`);
  }
  if (chain.maxLagMs === undefined) return;
  const scannedAt = await lastScanAt(core, { mode, network: chain.network });
  if (scannedAt === undefined || core.clock.now() - scannedAt > chain.maxLagMs) {
    throw new SettlementUnavailable(`${chain.network} has not been scanned recently`);
  }
}

/** Printable and of bounded length. Whether it is valid for its coin, only the chain knows. */
const plausibleAddress = /^[\x21-\x7e]{1,200}$/;

async function deriveAddress({ chain, asset }: AddressIntent, index: number): Promise<string> {
  const address = chain.addressAt(index, asset);
  if (!plausibleAddress.test(address)) throw new SettlementFailed("the address is invalid");
  await callChain(chain, (signal) => chain.prepareAddress(index, signal));
  return address;
}

function handOut(
  core: Core,
  call: Keyed<CustomerCall>,
  wanted: AddressIntent,
  { id, address }: { readonly id: string; readonly address: string },
): Promise<Result<RecordedAnswer<DepositAddress>>> {
  const { accountId, asset, mode, terms } = wanted;
  const { network } = wanted.chain;
  return core.db.write(
    async (tx) => {
      // Locked before the key's row, which references the account: two requests that each hold a key's row and wait
      // for this lock would deadlock. A used key needs no lock.
      if (!(await isUsed(tx, call))) await lockAccount(tx, accountId);
      const step = { tx, core, call };
      return once(step, { asset }, async () => {
        const stored = await storeAddress(step, wanted, { id, address });
        if (!stored.ok) return stored;
        const detail = { asset, network, mode, address };
        await audit(step, "deposit_address.create", id, detail);
        const confirmationsRequired = confirmationsNeeded(terms);
        const body = { address, asset, network, confirmationsRequired, mode };
        return ok({ status: 201, body, reference: id });
      });
    },
    // An address that is already assigned would credit one customer's money to another.
    { deposit_addresses_network_address_unique: { code: "settlement_failed" } },
  );
}
