import { hex } from "@scure/base";
import type { PayoutEvidence, PayoutPayment } from "#ports/payouts.ts";
import { coinsOf } from "./amounts.ts";
import { checkChain } from "./check-chain.ts";
import { destinationScript } from "./destination-script.ts";
import type { FoundTransaction } from "./payout-node.ts";
import type { PayoutChain } from "./payout-wallet.ts";

const idPattern = /^[0-9a-f]{64}$/;
/** A node without a transaction index is searched this far back. */
const recentBlocks = 100;
/** Of a transaction that only its unspent outputs show. */
const mostOutputs = 100;

/** Whether a transaction pays at least this amount to the destination. */
export async function verifyPayment(
  chain: PayoutChain,
  transactionId: string,
  { destination, amountUnits }: PayoutPayment,
  signal: AbortSignal,
): Promise<PayoutEvidence> {
  const { asset, network } = chain;
  const id = transactionId.toLowerCase();
  if (!idPattern.test(id)) return { kind: "UNKNOWN" };
  let script: string;
  try {
    script = hex.encode(destinationScript(destination, chain));
  } catch {
    return { kind: "NOT_PAID", reason: `${destination} is not an address of ${network}.` };
  }
  const { tip } = await checkChain(chain, signal);
  const found =
    (await chain.payoutNode.transaction(id, undefined, signal)) ??
    (await findUnspent(chain, id, script, signal)) ??
    (await findRecent(chain, id, tip.height, signal));
  if (found === undefined) return { kind: "UNKNOWN" };

  const paid = found.outputs
    .filter((output) => output.script === script)
    .reduce((sum, output) => sum + output.amountUnits, 0n);
  if (paid === 0n) {
    return {
      kind: "NOT_PAID",
      reason: `Transaction ${id} pays nothing to ${destination} on ${network}.`,
    };
  }
  if (paid < amountUnits) {
    return {
      kind: "NOT_PAID",
      reason: `Transaction ${id} pays ${coinsOf(paid)} ${asset} to ${destination}, but the withdrawal is ${coinsOf(amountUnits)} ${asset}.`,
    };
  }
  return { kind: "PAID", transactionId: id, confirmations: found.confirmations };
}

/** Without an index, the node still knows outputs that nothing has spent. */
async function findUnspent(
  { payoutNode }: PayoutChain,
  id: string,
  script: string,
  signal: AbortSignal,
): Promise<FoundTransaction | undefined> {
  const outpoints = Array.from({ length: mostOutputs }, (_, index) => `${id}:${index}`);
  const found = await payoutNode.unspent(outpoints, true, signal);
  const outputs = [...found.values()].filter((output) => output !== undefined);
  if (!outputs.some((output) => output.script === script)) return undefined;
  return { id, outputs, confirmations: outputs[0]?.confirmations ?? 0 };
}

async function findRecent(
  { node, payoutNode, searchMs }: PayoutChain,
  id: string,
  tip: number,
  signal: AbortSignal,
): Promise<FoundTransaction | undefined> {
  const until = Date.now() + searchMs;
  const from = Math.max(0, tip - recentBlocks + 1);
  const hashes = await node.blockHashes(from, tip - from + 1, signal);
  for (const hash of hashes.toReversed()) {
    if (Date.now() >= until) return undefined;
    const ids = await payoutNode.blockIds(hash, signal);
    if (ids.includes(id)) return payoutNode.transaction(id, hash, signal);
  }
  return undefined;
}
