import { createSimulatedRates } from "#server/adapters/settlement-simulated/simulated-rates.ts";
import {
  createSimulatedSettlement,
  type SimulatedSettlement,
} from "#server/adapters/settlement-simulated/simulated-settlement.ts";
import { systemRandom } from "#server/adapters/system/random.ts";
import { createDepositAddress } from "#server/features/deposits/create-deposit-address.ts";
import type { Core } from "#server/kernel/core.ts";
import type { Db, Engine } from "#server/ports/db.ts";
import type {
  Asset,
  Rates,
  Settlement,
  SettlementNews,
  SettlementOutput,
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
export function simulatedOver(db: Db): SimulatedSettlement {
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

/** A provider on the ethereum network that reports what a test scripts, one page per call. */
export interface ScriptedSettlement extends Settlement {
  tell(...outputs: readonly SettlementOutput[]): void;
}

export function scriptedSettlement(overrides: Partial<Settlement> = {}): ScriptedSettlement {
  const pages: (readonly SettlementOutput[])[] = [];
  const ethereum = { network: "ethereum", confirmationsRequired: 12 };
  return {
    mode: "TEST",
    assets: new Map([
      ["ETH", { ...ethereum, decimals: 18 }],
      ["USDT", { ...ethereum, decimals: 6 }],
    ]),
    answerMs: 15_000,
    createAddress: async (_asset, reference) => `0x${reference}`,
    tell: (...outputs) => pages.push(outputs),
    /** The cursor counts the pages, so a lost cursor makes the provider repeat everything. */
    watch: async (_network, cursor): Promise<SettlementNews> => {
      const next = Number(cursor ?? 0);
      const outputs = pages[next] ?? [];
      const place = Math.min(next + 1, pages.length);
      return { cursor: String(place), outputs, hasMore: place < pages.length };
    },
    ...overrides,
  };
}

/** An output with its confirmations, on the scripted provider's ethereum network. */
export function outputTo(address: string, more: Partial<SettlementOutput> = {}): SettlementOutput {
  return {
    asset: "USDT",
    address,
    transactionId: "tx",
    outputIndex: 0,
    amountUnits: 5_000_000n,
    confirmations: 12,
    isGone: false,
    ...more,
  };
}

/** Rates that a test sets. An asset without a rate makes the source fail. */
export function settableRates(rates: Partial<Record<Asset, string>>): Rates {
  return {
    usdPerCoin: async (asset) => {
      const rate = rates[asset];
      if (rate === undefined) throw new Error(`no rate of ${asset}`);
      return { rate, at: 1_700_000_000_000 };
    },
  };
}
