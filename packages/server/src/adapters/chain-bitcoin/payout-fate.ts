import { hex } from "@scure/base";
import { RawTx } from "@scure/btc-signer/script.js";
import type { PayoutFate, SentPayout } from "#ports/payouts.ts";
import type { ChainCursor } from "#ports/settlement.ts";
import { checkChain } from "./check-chain.ts";
import type { PayoutChain } from "./payout-wallet.ts";

/** Blocks that are searched again, because a reorganization may have replaced them. */
const overlap = 10;

/** What became of a transaction that was sent. */
export async function payoutFate(
  chain: PayoutChain,
  sent: SentPayout,
  signal: AbortSignal,
): Promise<PayoutFate> {
  const { node, payoutNode } = chain;
  const { transactionId, block } = sent;
  const { tip } = await checkChain(chain, signal);
  if (block !== undefined) {
    const header = (await node.headers([block.hash], signal)).get(block.hash);
    if (header !== undefined && header.confirmations > 0) {
      return { kind: "MINED", confirmations: header.confirmations, block };
    }
  }
  const isPooled = (await node.poolContains([transactionId], signal)).has(transactionId);
  if (isPooled) return { kind: "PENDING", isKnown: true, searchedHeight: tip.height };

  const confirmations = await confirmationsByOutput(chain, sent, signal);
  if (confirmations > 0) {
    const mined = await blockAt(chain, tip.height - confirmations + 1, signal);
    // A block that arrived in the meantime makes the height wrong. The next pass asks again.
    const ids = mined === undefined ? [] : await payoutNode.blockIds(mined.hash, signal);
    if (mined !== undefined && ids.includes(transactionId)) {
      return { kind: "MINED", confirmations, block: mined };
    }
  }
  const searched = sent.searchedHeight ?? tip.height;
  const pins = await payoutNode.unspent(sent.pins, false, signal);
  const areFree = [...pins.values()].every((output) => output !== undefined);
  if (areFree) return { kind: "PENDING", isKnown: false, searchedHeight: tip.height };
  return searchBlocks(chain, sent, { from: Math.max(0, searched - overlap), tip }, signal);
}

/** The node finds unspent outputs without an index. The receivers may have spent theirs already. */
async function confirmationsByOutput(
  { payoutNode }: PayoutChain,
  { transactionId, raw }: SentPayout,
  signal: AbortSignal,
): Promise<number> {
  const count = RawTx.decode(hex.decode(raw)).outputs.length;
  const outpoints = Array.from({ length: count }, (_, index) => `${transactionId}:${index}`);
  const found = await payoutNode.unspent(outpoints, false, signal);
  return Math.max(0, ...[...found.values()].map((output) => output?.confirmations ?? 0));
}

/** Something in a block has spent the pins: this transaction or another one. */
async function searchBlocks(
  chain: PayoutChain,
  { transactionId, pins }: SentPayout,
  { from, tip }: { readonly from: number; readonly tip: ChainCursor },
  signal: AbortSignal,
): Promise<PayoutFate> {
  const until = Date.now() + chain.searchMs;
  let height = from;
  for (; height <= tip.height && Date.now() < until; height += 1) {
    const block = await blockAt(chain, height, signal);
    if (block === undefined) break;
    const spenders = await chain.payoutNode.spenders(block.hash, signal);
    const confirmations = tip.height - height + 1;
    if (spenders.some(({ id }) => id === transactionId)) {
      return { kind: "MINED", confirmations, block };
    }
    const other = spenders.find(({ spends }) => spends.some((spent) => pins.includes(spent)));
    if (other !== undefined) {
      const evidence = `Transaction ${other.id} in block ${height} of ${chain.network} spent the same coins.`;
      return { kind: "FAILED", evidence, confirmations };
    }
  }
  return { kind: "PENDING", isKnown: false, searchedHeight: Math.max(from, height - 1) };
}

async function blockAt(
  { node }: PayoutChain,
  height: number,
  signal: AbortSignal,
): Promise<ChainCursor | undefined> {
  const [hash] = await node.blockHashes(height, 1, signal);
  return hash === undefined ? undefined : { height, hash };
}
