import { sql } from "kysely";
import { callChain } from "#kernel/settlement.ts";
import type { ChainCursor, KnownOutput, OutputFate } from "#ports/settlement.ts";
import { readPosition } from "./chain-cursor.ts";
import { recordScan } from "./record-scan.ts";
import type { ChainRun } from "./settlement-pass.ts";

const pageLength = 200;
const maxPages = 100;

interface OpenDeposit extends KnownOutput {
  readonly id: string;
  readonly confirmations: number;
  readonly isLocked: boolean;
}

/** Asks the chain what became of every deposit that is not final. */
export async function recheckDeposits(run: ChainRun): Promise<void> {
  const { core, mode, chain, stop } = run;
  let after = "";
  for (let page = 0; page < maxPages; page += 1) {
    if (stop?.aborted === true) return;
    const position = await readPosition(core, { mode, network: chain.network });
    const { cursor } = position;
    const open = await openDeposits(run, after);
    if (cursor === undefined || open.length === 0) return;
    const fates = await callChain(chain, (signal) => chain.recheck(open, cursor, signal));
    const changed = fates.filter((fate) => isChange(open, fate));
    const scan = { cursor, outputs: [], fates: changed, isAtTip: false };
    // When another pass was faster, the next one asks again.
    if (changed.length > 0 && !(await recordScan(run, position, scan))) return;
    if (open.length < pageLength) return;
    after = open.at(-1)?.id ?? after;
  }
}

function isChange(open: readonly OpenDeposit[], fate: OutputFate): boolean {
  const known = open.find(
    ({ transactionId, outputIndex }) =>
      transactionId === fate.transactionId && outputIndex === fate.outputIndex,
  );
  return (
    fate.isGone ||
    known?.confirmations !== fate.confirmations ||
    known.block?.hash !== fate.block?.hash ||
    known.isLocked !== (fate.isLocked ?? false)
  );
}

async function openDeposits(
  { core, chain }: ChainRun,
  after: string,
): Promise<readonly OpenDeposit[]> {
  const rows = await core.db.read
    .selectFrom("deposits")
    .select([
      "id",
      "address",
      "transaction_id as transactionId",
      "output_index as outputIndex",
      "block_hash",
      "block_height",
      "confirmations",
      "is_locked",
    ])
    .where("network", "=", chain.network)
    // A literal, so that SQLite uses the partial index.
    .where(sql<boolean>`is_final = 0`)
    .where("id", ">", after)
    .orderBy("id")
    .limit(pageLength)
    .execute();
  return rows.map(({ block_hash, block_height, is_locked, ...row }) => ({
    ...row,
    block: blockOf(block_hash, block_height),
    isLocked: is_locked === 1,
  }));
}

function blockOf(hash: string | null, height: number | null): ChainCursor | undefined {
  return hash === null || height === null ? undefined : { hash, height };
}
