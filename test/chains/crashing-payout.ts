import { acceptSigned } from "#server/features/payouts/accept-signed.ts";
import { broadcastPayout } from "#server/features/payouts/broadcast-payout.ts";
import { cancelPayout } from "#server/features/payouts/cancel-payout.ts";
import { preparePayout } from "#server/features/payouts/prepare-payout.ts";
import { watchPayouts } from "#server/features/payouts/watch-payouts.ts";
import type { Keyed, OperatorCall } from "#server/kernel/call.ts";
import type { Core } from "#server/kernel/core.ts";
import type { Engine } from "#server/ports/db.ts";
import type { Chain } from "#server/ports/settlement.ts";
import { openAt } from "#test/open-at.ts";
import type { ChainConnection } from "./chain-kind.ts";
import { crashingDb } from "./crashing-db.ts";
import { createInstance } from "./instance.ts";
import { ethereum } from "./ethereum.ts";
import { litecoin } from "./litecoin.ts";
import { monero } from "./monero.ts";

/** A step of a payout in a process of its own, which ends with kill -9. */
export interface CrashingPayout {
  readonly chain: string;
  readonly engine: Engine;
  readonly location: string;
  readonly connection: ChainConnection;
  /** The time of the instance's clock. */
  readonly at: number;
  readonly call: Keyed<OperatorCall>;
  readonly step: PayoutStep;
  readonly crash: CrashPoint;
}

export type PayoutStep =
  | { readonly kind: "prepare"; readonly workIds: readonly string[] }
  | { readonly kind: "sign"; readonly payoutId: string; readonly signed: string }
  | { readonly kind: "broadcast"; readonly payoutId: string }
  | { readonly kind: "cancel"; readonly payoutId: string }
  | { readonly kind: "follow" };

/** Only a broadcast sends bytes. */
export type CrashPoint = "before it commits" | "before the bytes are sent" | "after";

const kinds = [litecoin, ethereum, monero];

if (process.argv[1] === import.meta.filename) {
  const options = JSON.parse(process.argv[2] ?? "") as CrashingPayout;
  const { engine, location, connection, at, crash } = options;
  const kind = kinds.find(({ name }) => name === options.chain);
  if (kind === undefined) throw new Error(`There is no chain ${options.chain}.`);
  const opened = await openAt(engine, location);
  const db = crash === "before it commits" ? crashingDb(opened, 1) : opened;
  const chain = crashingChain(kind.open(connection), crash);
  const result = await perform(createInstance(db, { now: () => at }, chain), options);
  throw new Error("The step ended before its crash.", { cause: result });
}

function perform(core: Core, { call, step }: CrashingPayout): Promise<unknown> {
  switch (step.kind) {
    case "prepare":
      return preparePayout(core, call, step.workIds, (record) => record);
    case "sign":
      return acceptSigned(core, call, step);
    case "broadcast":
      return broadcastPayout(core, call, step.payoutId);
    case "cancel":
      return cancelPayout(core, call, { payoutId: step.payoutId, reason: "test" });
    case "follow":
      return watchPayouts(core);
  }
}

function crashingChain(chain: Chain, crash: CrashPoint): Chain {
  const { payouts } = chain;
  if (payouts === undefined) throw new Error(`${chain.network} prepares no payouts.`);
  const broadcast: typeof payouts.broadcast = async (raw, signal) => {
    if (crash === "after") await payouts.broadcast(raw, signal);
    process.kill(process.pid, "SIGKILL");
    return new Promise(() => {});
  };
  return { ...chain, payouts: { ...payouts, broadcast } };
}
