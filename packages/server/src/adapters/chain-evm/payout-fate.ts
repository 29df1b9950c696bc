import { addr, Transaction } from "micro-eth-signer";
import type { PayoutEvidence, PayoutFate, PayoutPayment, SentPayout } from "#ports/payouts.ts";
import { resultOf } from "../json-rpc.ts";
import { hexOf } from "./answers.ts";
import { checkChain, confirmationsAt, type ChainHead } from "./check-chain.ts";
import { encodeTransfer, readTransfer } from "./erc20.ts";
import type { Receipt } from "./evm-node.ts";
import { nonceOf, textOf, type PayingAccount } from "./prepare-payout.ts";

const idPattern = /^0x[0-9a-f]{64}$/;
/** Full nodes keep the states of this many blocks. */
const keptStates = 128;

/** What became of a transaction that was sent. */
export async function fateOfPayout(
  account: PayingAccount,
  sent: SentPayout,
  signal: AbortSignal,
): Promise<PayoutFate> {
  const { node } = account;
  const head = await checkChain(account, signal);
  const nonce = nonceOf(sent);
  // Read before the receipt: a transaction that is mined in between has both.
  const next = await nextNonce(account, head.tip.height, signal);
  const receipt = (await node.receipts([sent.transactionId], signal)).get(sent.transactionId);
  if (receipt === undefined) {
    if (next > nonce) return failedBy(await findReplacement(account, nonce, head, signal), nonce);
    const known = await node.transactions([sent.transactionId], signal);
    const isKnown = known.has(sent.transactionId);
    return { kind: "PENDING", isKnown, searchedHeight: head.tip.height };
  }
  const { block, feeUnits } = receipt;
  const confirmations = confirmationsAt(head, block.height);
  const evidence = failureOf(receipt, sent.raw);
  return evidence === undefined
    ? { kind: "MINED", confirmations, block, feeUnits }
    : { kind: "FAILED", evidence, confirmations, feeUnits };
}

interface Replacement {
  readonly id: string | undefined;
  readonly confirmations: number;
}

function failedBy({ id, confirmations }: Replacement, nonce: number): PayoutFate {
  const evidence = `The transaction ${id ?? "of an older block"} used the nonce ${nonce}.`;
  return { kind: "FAILED", evidence, confirmations };
}

/** Finds the block that used the nonce by bisection, and in it the transaction. */
async function findReplacement(
  account: PayingAccount,
  nonce: number,
  head: ChainHead,
  signal: AbortSignal,
): Promise<Replacement> {
  const { node, from } = account;
  let [unused, used] = [Math.max(-1, head.tip.height - keptStates), head.tip.height];
  while (used - unused > 1) {
    const middle = Math.floor((unused + used) / 2);
    if ((await nextNonce(account, middle, signal)) > nonce) used = middle;
    else unused = middle;
  }
  const [block] = await node.blocks(used, 1, signal);
  const mined = block?.transactions.find((one) => one.from === from && one.nonce === nonce);
  return { id: mined?.id, confirmations: confirmationsAt(head, used) };
}

/** The nonce of the account's next transaction after a block. */
async function nextNonce(
  { node, from }: PayingAccount,
  height: number,
  signal: AbortSignal,
): Promise<number> {
  const method = "eth_getTransactionCount";
  const [count] = await node.ask([{ method, params: [from, hexOf(height)] }], signal);
  return node.read(method).number(resultOf(count), "count");
}

/** Undefined when the transaction did what its bytes say. */
function failureOf(receipt: Receipt, raw: string): string | undefined {
  if (!receipt.isSuccess) return `It was mined in block ${receipt.block.height} and reverted.`;
  const { to, data } = Transaction.fromHex(raw, false).raw;
  if (data === "0x" || data === "") return undefined;
  const isPaid = receipt.logs.some((log) => {
    const transfer = readTransfer(log);
    if (transfer === undefined || log.contract.toLowerCase() !== to.toLowerCase()) return false;
    return encodeTransfer(transfer.to, transfer.amountUnits) === data.toLowerCase();
  });
  return isPaid
    ? undefined
    : `It was mined in block ${receipt.block.height}, but the contract transferred nothing.`;
}

/** Whether a transaction, made by the service or not, pays this much to this destination. */
export async function verifyPayment(
  account: PayingAccount,
  given: string,
  payment: PayoutPayment,
  signal: AbortSignal,
): Promise<PayoutEvidence> {
  const { node } = account;
  const transactionId = given.toLowerCase();
  if (!idPattern.test(transactionId)) {
    return { kind: "NOT_PAID", reason: "The id is not 0x and 64 hexadecimal digits." };
  }
  const head = await checkChain(account, signal);
  const receipt = (await node.receipts([transactionId], signal)).get(transactionId);
  if (receipt === undefined) {
    const isPooled = (await node.transactions([transactionId], signal)).has(transactionId);
    return isPooled
      ? { kind: "NOT_PAID", reason: "The transaction is not mined yet." }
      : { kind: "UNKNOWN" };
  }
  if (!receipt.isSuccess) return { kind: "NOT_PAID", reason: "The transaction was reverted." };
  const { asset } = payment;
  const destination = addr.addChecksum(payment.destination.toLowerCase());
  const paid = await unitsPaid(
    account,
    { ...payment, destination },
    transactionId,
    receipt,
    signal,
  );
  if (paid < payment.amountUnits) {
    const reason =
      paid === 0n
        ? `The transaction pays nothing to ${destination} in ${asset}.`
        : `The transaction pays ${textOf(paid, asset)} to ${destination}, but the withdrawal is ${textOf(payment.amountUnits, asset)}.`;
    return { kind: "NOT_PAID", reason };
  }
  const confirmations = confirmationsAt(head, receipt.block.height);
  return { kind: "PAID", transactionId, confirmations, feeUnits: receipt.feeUnits };
}

async function unitsPaid(
  { node, tokens }: PayingAccount,
  { asset, destination }: PayoutPayment,
  transactionId: string,
  { block, logs }: Receipt,
  signal: AbortSignal,
): Promise<bigint> {
  if (asset !== "ETH") {
    const contract = tokens.find((token) => token.asset === asset)?.contract;
    const transfers = logs.filter((log) => log.contract === contract).map(readTransfer);
    return transfers.reduce(
      (sum, transfer) => (transfer?.to === destination ? sum + transfer.amountUnits : sum),
      0n,
    );
  }
  const [mined] = await node.blocks(block.height, 1, signal);
  if (mined?.hash !== block.hash) return 0n;
  const { changes } = await node.effects(mined, [], signal);
  if (changes !== undefined) return changes.get(transactionId)?.get(destination) ?? 0n;
  const transaction = mined.transactions.find(({ id }) => id === transactionId);
  return transaction?.to === destination ? transaction.amountUnits : 0n;
}
