import { watchSettlement } from "#server/features/deposits/watch-settlement.ts";
import type { Engine } from "#server/ports/db.ts";
import { openAt } from "#test/open-at.ts";
import { crashingDb } from "./crashing-db.ts";
import type { ChainConnection, ChainKind } from "./chain-kind.ts";
import { createInstance } from "./instance.ts";
import { ethereum } from "./ethereum.ts";
import { litecoin } from "./litecoin.ts";
import { monero } from "./monero.ts";

/** A settlement pass in a process of its own, which ends with kill -9 just before a commit. */
export interface CrashingPass {
  readonly chain: string;
  readonly engine: Engine;
  readonly location: string;
  readonly connection: ChainConnection;
  /** The time of the instance's clock. */
  readonly at: number;
  /** 1 for the first commit of the pass. */
  readonly beforeCommit: number;
}

const kinds: readonly ChainKind[] = [litecoin, ethereum, monero];

if (process.argv[1] === import.meta.filename) {
  const { chain, engine, location, connection, at, beforeCommit } = JSON.parse(
    process.argv[2] ?? "",
  ) as CrashingPass;
  const kind = kinds.find(({ name }) => name === chain);
  if (kind === undefined) throw new Error(`There is no chain ${chain}.`);
  const db = crashingDb(await openAt(engine, location), beforeCommit);
  const pass = await watchSettlement(createInstance(db, { now: () => at }, kind.open(connection)));
  throw new Error("The pass ended before its crash.", { cause: pass });
}
