import type { SimulatedSettlement } from "#server/adapters/settlement-simulated/simulated-settlement.ts";
import type { PasswordHash } from "#server/ports/password-hash.ts";
import { refuse } from "#server/kernel/result.ts";
import {
  SettlementFailed,
  SettlementUnavailable,
  type Asset,
  type Rates,
} from "#server/ports/settlement.ts";
import { currentTask } from "./scheduler.ts";

/** Real time must not decide anything: when the provider is late is for the seed to say. */
const neverMs = 3_600_000;

/** Two networks: to ask four of them that have nothing to tell would only take time. */
const assetsInUse: readonly Asset[] = ["USDT", "BTC"];

/** The simulated provider behind two gates: it may not have heard, or not have been heard. */
export function simulateProvider(inner: SimulatedSettlement): SimulatedSettlement {
  return {
    ...inner,
    assets: new Map([...inner.assets].filter(([asset]) => assetsInUse.includes(asset))),
    answerMs: neverMs,
    createAddress: (...wish) => ask("address", () => inner.createAddress(...wish)),
    watch: (...wish) => ask("watch", () => inner.watch(...wish)),
  };
}

async function ask<T>(what: string, call: () => Promise<T>): Promise<T> {
  const task = currentTask();
  const before = await task.scheduler.gate(task, "provider", what);
  if (before === "bad answer") throw new SettlementFailed("simulated: a bad answer");
  if (before !== undefined) throw new SettlementUnavailable("simulated: not reached");
  const answer = await call();
  const after = await task.scheduler.gate(task, "provider's answer", what);
  if (after !== undefined) throw new SettlementUnavailable("simulated: no answer");
  return answer;
}

export function simulateRates(inner: Rates): Rates {
  return {
    usdPerCoin: async (asset) => {
      const task = currentTask();
      const late = await task.scheduler.gate(task, "rate", asset);
      if (late !== undefined) throw new SettlementUnavailable("simulated: no rate");
      return inner.usdPerCoin(asset);
    },
  };
}

export function simulatePasswords(inner: PasswordHash): PasswordHash {
  const gate = async () => {
    const task = currentTask();
    return (await task.scheduler.gate(task, "hash", "")) !== undefined;
  };
  return {
    hash: async (...asked) => ((await gate()) ? refuse("rate_limited") : inner.hash(...asked)),
    verify: async (...asked) => ((await gate()) ? refuse("rate_limited") : inner.verify(...asked)),
  };
}
