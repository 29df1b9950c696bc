import { createSimulatedRates } from "#server/adapters/settlement-simulated/simulated-rates.ts";
import {
  createSimulatedSettlement,
  type SimulatedSettlement,
} from "#server/adapters/settlement-simulated/simulated-settlement.ts";
import { systemRandom } from "#server/adapters/system/random.ts";
import { createDepositAddress } from "#server/features/deposits/create-deposit-address.ts";
import { watchSettlement } from "#server/features/deposits/watch-settlement.ts";
import type { Core } from "#server/kernel/core.ts";
import type { Db, Engine } from "#server/ports/db.ts";
import type {
  Asset,
  Chain,
  Rates,
  Settlement,
  Sighting,
  SimulatedPayment,
} from "#server/ports/settlement.ts";
import { createTestCore, testClient, type TestCore } from "./core.ts";
import { freshKey, intentOf, valueOf } from "./use-cases.ts";

/** A core with the simulated provider and rates, as in the preview. */
export function createDepositCore(engine: Engine): Promise<TestCore> {
  return createTestCore(engine, {
    settlement: simulatedOver,
    rates: createSimulatedRates,
  });
}

/** The simulated provider of one process. Its state is in the database. */
function simulatedOver(db: Db): SimulatedSettlement {
  return createSimulatedSettlement(db, systemRandom);
}

export function simulatedOf(core: Core): SimulatedSettlement {
  return core.settlement as SimulatedSettlement;
}

/** Requests an address with a key, as the HTTP layer does. */
export function requestAddress(core: Core, accountId: string, key: string, asset: Asset = "BTC") {
  const intent = intentOf("createDepositAddress", key);
  return createDepositAddress(core, { accountId, client: testClient, intent }, { asset });
}

export async function addressFor(
  core: Core,
  accountId: string,
  asset: Asset = "BTC",
): Promise<string> {
  return (await valueOf(requestAddress(core, accountId, freshKey(), asset))).body.address;
}

/** Pays a simulated address and returns the transaction id. */
export async function pay(
  core: Core,
  address: string,
  amount: string,
  more: Partial<SimulatedPayment> = {},
): Promise<string> {
  const paid = simulatedOf(core).payments.simulatePayment({ address, amount, ...more });
  return (await valueOf(paid)).transactionId;
}

/** Pays a new BTC address of the account and credits the payment. */
export async function depositCoins(core: Core, accountId: string, amount: string): Promise<void> {
  await pay(core, await addressFor(core, accountId), amount);
  await runSettlementPass(core);
}

/** Runs a settlement pass that must not fail, and returns its counts. */
export async function runSettlementPass(core: Core) {
  const { failures, ...counts } = await watchSettlement(core);
  if (failures.length > 0) throw new AggregateError(failures, "the settlement pass failed");
  return counts;
}

export async function balanceOf(core: Core, accountId: string): Promise<number> {
  const { available_cents: cents } = await core.db.read
    .selectFrom("balances")
    .select("available_cents")
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return cents;
}

/** The actions of system audit entries that mention the account, oldest first. */
export async function auditActionsOf(core: Core, accountId: string): Promise<readonly string[]> {
  const rows = await core.db.read
    .selectFrom("audit")
    .select("action")
    .where("actor", "=", "system")
    .where("detail", "like", `%${accountId}%`)
    .orderBy("id")
    .execute();
  return rows.map(({ action }) => action);
}

/** An output as a test scripts it: a sighting, or its disappearance. */
export interface ScriptedOutput extends Sighting {
  readonly isGone: boolean;
}

/** An ethereum chain that reports what a test scripts, one page per call. */
export interface ScriptedSettlement extends Settlement {
  readonly chain: Chain;
  report(...outputs: readonly ScriptedOutput[]): void;
}

export function scriptedSettlement(overrides: Partial<Chain> = {}): ScriptedSettlement {
  const pages: (readonly ScriptedOutput[])[] = [];
  const confirmations = [{ fromCents: 0, needed: 12 }];
  const chain: Chain = {
    network: "ethereum",
    addressNetwork: "test",
    assets: new Map([
      ["ETH", { decimals: 18, confirmations }],
      ["USDT", { decimals: 6, confirmations }],
    ]),
    publicKey: "scripted",
    answerMs: 15_000,
    maxLagMs: undefined,
    maxBehindBlocks: 0,
    finalDepth: 0,
    health: async () => ({ height: pages.length, behindBlocks: 0, version: "1", peers: 1 }),
    addressAt: (index) => `0x${index.toString(16).padStart(40, "0")}`,
    prepareAddress: async () => {},
    /** The height counts the pages, so a lost cursor makes the chain repeat everything. */
    scan: async (cursor) => {
      const next = cursor?.height ?? 0;
      const outputs = pages[next] ?? [];
      const height = Math.min(next + 1, pages.length);
      return {
        cursor: { height, hash: "" },
        undone: 0,
        outputs: outputs.filter(({ isGone }) => !isGone),
        fates: outputs.filter(({ isGone }) => isGone),
        hasMore: height < pages.length,
      };
    },
    recheck: async () => [],
    payouts: undefined,
    ...overrides,
  };
  return { mode: "TEST", chain, chains: [chain], report: (...outputs) => pages.push(outputs) };
}

/** The same settlement with another behaviour of all its chains. */
export function withChains<S extends Settlement>(
  settlement: S,
  override: (chain: Chain) => Partial<Chain>,
): S {
  const chains = settlement.chains.map((chain) => ({ ...chain, ...override(chain) }));
  return { ...settlement, chains };
}

/** An output with its confirmations, on the scripted ethereum chain. */
export function outputTo(address: string, more: Partial<ScriptedOutput> = {}): ScriptedOutput {
  return {
    asset: "USDT",
    address,
    transactionId: "tx",
    outputIndex: 0,
    amountUnits: 5_000_000n,
    block: undefined,
    confirmations: 12,
    isGone: false,
    ...more,
  };
}

/** Rates that a test sets. An asset without a rate makes the source fail. */
export function settableRates(rates: Partial<Record<Asset, string>>): Rates {
  return {
    maxAgeMs: Number.MAX_SAFE_INTEGER,
    answerMs: 15_000,
    usdPerCoin: async (asset) => {
      const rate = rates[asset];
      if (rate === undefined) throw new Error(`no rate of ${asset}`);
      return { rate, at: 1_700_000_000_000, sources: ["test"] };
    },
  };
}
