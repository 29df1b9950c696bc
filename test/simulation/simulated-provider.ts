import type { SimulatedSettlement } from "#server/adapters/settlement-simulated/simulated-settlement.ts";
import type { PasswordHash } from "#server/ports/password-hash.ts";
import { refuse } from "#server/kernel/result.ts";
import type { Payouts } from "#server/ports/payouts.ts";
import {
  SettlementFailed,
  SettlementUnavailable,
  type Asset,
  type Chain,
  type Rates,
} from "#server/ports/settlement.ts";
import { currentTask } from "./scheduler.ts";

/** Long enough never to elapse: the seed decides on timeouts, not real time. */
const neverMs = 3_600_000;

/** Watching the other networks would only take time, because no payments arrive there. */
const assetsInUse: readonly Asset[] = ["USDT", "BTC"];

/** The simulated provider with a gate before and after each call, so that the request or the answer can be lost. */
export function simulateProvider(inner: SimulatedSettlement): SimulatedSettlement {
  return {
    ...inner,
    chains: inner.chains.filter(isInUse).map((chain) => ({
      ...chain,
      answerMs: neverMs,
      health: (...args) => callAtGates("health", () => chain.health(...args)),
      prepareAddress: (...args) => callAtGates("address", () => chain.prepareAddress(...args)),
      scan: (...args) => callAtGates("scan", () => chain.scan(...args)),
      payouts: chain.payouts && simulatePayouts(chain.payouts),
    })),
  };
}

function simulatePayouts(inner: Payouts): Payouts {
  return {
    ...inner,
    prepare: (...args) => callAtGates("prepare", () => inner.prepare(...args)),
    accept: (...args) => callAtGates("accept", () => inner.accept(...args)),
    rehearse: (...args) => callAtGates("rehearse", () => inner.rehearse(...args)),
    broadcast: (...args) => callAtGates("broadcast", () => inner.broadcast(...args)),
    fate: (...args) => callAtGates("fate", () => inner.fate(...args)),
    verify: (...args) => callAtGates("verify", () => inner.verify(...args)),
    balances: (...args) => callAtGates("balances", () => inner.balances(...args)),
  };
}

function isInUse({ assets }: Chain): boolean {
  return assetsInUse.some((asset) => assets.has(asset));
}

async function callAtGates<T>(label: string, call: () => Promise<T>): Promise<T> {
  const task = currentTask();
  const before = await task.scheduler.gate(task, "provider", label);
  if (before === "bad answer") throw new SettlementFailed("simulated: a bad answer");
  if (before !== undefined) throw new SettlementUnavailable("simulated: not reached");
  const answer = await call();
  const after = await task.scheduler.gate(task, "provider's answer", label);
  if (after !== undefined) throw new SettlementUnavailable("simulated: no answer");
  return answer;
}

export function simulateRates(inner: Rates): Rates {
  return {
    maxAgeMs: inner.maxAgeMs,
    answerMs: neverMs,
    usdPerCoin: async (asset, signal) => {
      const task = currentTask();
      const fault = await task.scheduler.gate(task, "rate", asset);
      if (fault !== undefined) throw new SettlementUnavailable("simulated: no rate");
      return inner.usdPerCoin(asset, signal);
    },
  };
}

export function simulatePasswords(inner: PasswordHash): PasswordHash {
  const isRefused = async () => {
    const task = currentTask();
    return (await task.scheduler.gate(task, "hash", "")) !== undefined;
  };
  return {
    hash: async (...input) => ((await isRefused()) ? refuse("rate_limited") : inner.hash(...input)),
    verify: async (...input) =>
      (await isRefused()) ? refuse("rate_limited") : inner.verify(...input),
  };
}
