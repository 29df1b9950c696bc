import { createHash } from "node:crypto";
import type { Db } from "#ports/db.ts";
import {
  SettlementFailed,
  type Asset,
  type Chain,
  type ChainCursor,
  type OutputFate,
  type Scan,
  type Sighting,
} from "#ports/settlement.ts";
import { simulatedAssets } from "./simulated-assets.ts";

/** How many payments one scan returns. */
const pageLength = 100;
const addressLength = 31;

/** One simulated network. Its height is the number of payments and changes so far, and it has no blocks. */
export function createSimulatedChain(db: Db, network: string): Chain {
  const assets = new Map([...simulatedAssets].filter(([, asset]) => asset.network === network));
  return {
    network,
    addressNetwork: "any",
    assets,
    publicKey: "simulated",
    answerMs: 15_000,
    maxLagMs: undefined,
    maxBehindBlocks: 0,
    // A scan reports every change, so no deposit needs to be rechecked.
    finalDepth: 0,
    health: async () => ({
      height: await revision(db),
      behindBlocks: 0,
      version: "simulated",
      peers: 0,
    }),
    addressAt: (index, asset) => `sim-${asset.toLowerCase()}-${addressText(network, index)}`,
    prepareAddress: async () => {},
    scan: (cursor) => scan(db, [...assets.keys()], cursor),
    recheck: async () => [],
    // Withdrawals are completed by hand, without a transaction that could be verified.
    payouts: undefined,
  };
}

function addressText(network: string, index: number): string {
  const digest = createHash("sha256").update(`${network}/${index}`).digest("hex");
  return BigInt(`0x${digest}`).toString(36).padStart(addressLength, "0").slice(-addressLength);
}

async function revision({ read }: Db): Promise<number> {
  const row = await read
    .selectFrom("simulated_revisions")
    .select("revision")
    .where("id", "=", 1)
    .executeTakeFirstOrThrow();
  return row.revision;
}

/** Revisions commit in order, so nothing up to a tip that was read before the payments can appear later. */
async function scan(
  db: Db,
  assets: readonly Asset[],
  cursor: ChainCursor | undefined,
): Promise<Scan> {
  const { height = 0, hash = "" } = cursor ?? {};
  if (hash !== "") throw new SettlementFailed("the cursor is from another chain");
  const tip = await revision(db);
  const rows = await db.read
    .selectFrom("simulated_payments")
    .selectAll()
    .where("revision", ">", height)
    .where("asset", "in", assets)
    .orderBy("revision")
    .limit(pageLength + 1)
    .execute();
  const page = rows.slice(0, pageLength);
  const outputs: Sighting[] = [];
  const fates: OutputFate[] = [];
  for (const row of page) {
    const key = { transactionId: row.transaction_id, outputIndex: row.output_index };
    const { confirmations } = row;
    if (row.is_gone === 1) {
      fates.push({ ...key, block: undefined, confirmations: 0, isGone: true });
      continue;
    }
    outputs.push({
      ...key,
      asset: row.asset as Asset,
      address: row.address,
      amountUnits: BigInt(row.amount_units),
      block: undefined,
      confirmations,
    });
  }
  const hasMore = rows.length > pageLength;
  const lastRead = page.at(-1)?.revision ?? height;
  const cursorHeight = hasMore ? lastRead : Math.max(lastRead, tip);
  return { cursor: { height: cursorHeight, hash: "" }, undone: 0, outputs, fates, hasMore };
}
