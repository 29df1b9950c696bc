import { broadcastPayout } from "#server/features/payouts/broadcast-payout.ts";
import type { OperatorCall } from "#server/kernel/call.ts";
import type { Engine } from "#server/ports/db.ts";
import type { Chain } from "#server/ports/settlement.ts";
import { openAt } from "#test/open-at.ts";
import type { ChainConnection } from "./chain-kind.ts";
import { crashingDb } from "./crashing-db.ts";
import { createInstance } from "./instance.ts";
import { ethereum } from "./ethereum.ts";
import { litecoin } from "./litecoin.ts";
import { monero } from "./monero.ts";

/** An operator's broadcast in a process of its own, which ends with kill -9. */
export interface CrashingBroadcast {
  readonly chain: string;
  readonly engine: Engine;
  readonly location: string;
  readonly connection: ChainConnection;
  /** The time of the instance's clock. */
  readonly at: number;
  readonly call: OperatorCall;
  readonly payoutId: string;
  readonly crash: CrashPoint;
}

export type CrashPoint = "before the approval commits" | "before the bytes are sent" | "after";

const kinds = [litecoin, ethereum, monero];

if (process.argv[1] === import.meta.filename) {
  const options = JSON.parse(process.argv[2] ?? "") as CrashingBroadcast;
  const { engine, location, connection, at, call, payoutId, crash } = options;
  const kind = kinds.find(({ name }) => name === options.chain);
  if (kind === undefined) throw new Error(`There is no chain ${options.chain}.`);
  const opened = await openAt(engine, location);
  const db = crash === "before the approval commits" ? crashingDb(opened, 1) : opened;
  const chain = crashingChain(kind.open(connection), crash);
  const result = await broadcastPayout(
    createInstance(db, { now: () => at }, chain),
    call,
    payoutId,
  );
  throw new Error("The broadcast ended before its crash.", { cause: result });
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
