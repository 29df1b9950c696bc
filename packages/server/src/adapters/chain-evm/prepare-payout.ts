import { Transaction } from "micro-eth-signer";
import { refuse, ok } from "#kernel/result.ts";
import type { OpenPayout, PayoutOrder, PayoutWallet, PreparedPayout } from "#ports/payouts.ts";
import type { Result } from "#ports/result.ts";
import { SettlementFailed, type Asset } from "#ports/settlement.ts";
import { resultOf, type RpcAnswer } from "../json-rpc.ts";
import { hexOf } from "./answers.ts";
import { checkChain, etherDecimals, tokenDecimals, type WatchedChain } from "./check-chain.ts";
import { encodeBalanceOf, encodeTransfer } from "./erc20.ts";

/** The account that pays, and the chain it pays on. */
export interface PayingAccount extends WatchedChain {
  /** The address at 1/0. */
  readonly from: string;
}

/** What a transaction does, before it has a nonce and fees. */
export interface PayoutCall {
  readonly to: string;
  readonly value: bigint;
  readonly data: string;
}

/** The library exports the class as a value only. */
export type FeeTransaction = InstanceType<typeof Transaction<"eip1559">>;

const pinPrefix = "1/0:";
const noTransfer = /^0x0{64}$/;
const leastPriorityFee = 100_000_000n;
/** A node takes a replacement only when both fees are a tenth higher. */
const raised = (fee: bigint): bigint => (fee * 1125n) / 1000n + 1n;
/** Tokens may need more gas when they run than when they are estimated. */
const withMargin = (gas: bigint): bigint => (gas * 12n) / 10n;

/** Builds an unsigned EIP-1559 transaction, once the node says that it would succeed. */
export async function preparePayout(
  account: PayingAccount,
  order: PayoutOrder,
  { taken, others }: Pick<PayoutWallet, "taken" | "others">,
  signal: AbortSignal,
): Promise<Result<PreparedPayout>> {
  const { node, from, chainId } = account;
  await checkChain(account, signal);
  const call = callOf(account, order);
  const simulated = { from, to: call.to, value: hexOf(call.value), data: call.data };
  const [balance, tokens, mined, count, block, tip, run] = await node.ask(
    [
      { method: "eth_getBalance", params: [from, "latest"] },
      tokenBalance(account, order),
      { method: "eth_getTransactionCount", params: [from, "latest"] },
      { method: "eth_getTransactionCount", params: [from, "pending"] },
      { method: "eth_getBlockByNumber", params: ["latest", false] },
      { method: "eth_maxPriorityFeePerGas", params: [] },
      { method: "eth_call", params: [simulated, "latest"] },
    ],
    signal,
  );
  const readCount = node.read("eth_getTransactionCount");
  const unmined = others.filter(
    (other) =>
      nonceOf(other) >= readCount.number(resultOf(mined), "count") &&
      nonceOf(other) !== (order.replaces && nonceOf(order.replaces)),
  );
  const ether =
    node.read("eth_getBalance").quantity(resultOf(balance), "balance") - owed(unmined, "ETH");
  const amountUnits = order.outputs[0]?.amountUnits ?? 0n;
  const held =
    order.asset === "ETH" ? ether : quantityOf(account, tokens) - owed(unmined, order.asset);
  if (held < amountUnits) return missing(account, order.asset, amountUnits - held);
  const refusal = refusalOf(run, order.asset);
  if (refusal !== undefined) return refuse("conflict", { message: refusal });

  const fees = readFees(account, block, tip, order.replaces);
  // Not of the pool, in which a replaced transaction has already made this one cheaper.
  const estimated = { method: "eth_estimateGas", params: [simulated, "latest"] };
  const [estimate] = await node.ask([estimated], signal);
  const gas = node.read("eth_estimateGas").quantity(resultOf(estimate), "gas");
  const gasLimit = call.data === "0x" ? gas : withMargin(gas);
  const feeUnits = gasLimit * fees.maxFeePerGas;
  if (ether < feeUnits + call.value) {
    return missing(account, "ETH", feeUnits + call.value - ether);
  }
  const first = readCount.number(resultOf(count), "count");
  const nonce = order.replaces === undefined ? freeNonce(first, taken) : nonceOf(order.replaces);
  const transaction = Transaction.prepare(
    { type: "eip1559", chainId: BigInt(chainId), nonce: BigInt(nonce), ...call, gasLimit, ...fees },
    false,
  );
  const unsigned = transaction.toHex({ includeSignature: false });
  return ok({ unsigned, pins: [`${pinPrefix}${nonce}`], feeUnits, feeAsset: "ETH", from });
}

function callOf({ tokens, network }: PayingAccount, { asset, outputs }: PayoutOrder): PayoutCall {
  const [output, ...more] = outputs;
  if (output === undefined || more.length > 0) {
    throw new Error("a transaction of this chain pays exactly one withdrawal");
  }
  const { destination, amountUnits } = output;
  if (asset === "ETH") return { to: destination, value: amountUnits, data: "0x" };
  const token = tokens.find((one) => one.asset === asset);
  if (token === undefined) throw new SettlementFailed(`${network} has no ${asset}`);
  return { to: token.contract, value: 0n, data: encodeTransfer(destination, amountUnits) };
}

/** For ether a call whose answer is not used, so that every batch has the same form. */
function tokenBalance({ tokens, from }: PayingAccount, { asset }: PayoutOrder) {
  const token = tokens.find((one) => one.asset === asset);
  return token === undefined
    ? { method: "eth_chainId", params: [] }
    : {
        method: "eth_call",
        params: [{ to: token.contract, data: encodeBalanceOf(from) }, "latest"],
      };
}

function quantityOf({ node }: PayingAccount, answer: RpcAnswer | undefined): bigint {
  return node.read("eth_call").quantity(resultOf(answer), "balance");
}

/** USDT returns nothing. A token that returns false would cost gas and pay nothing. */
function refusalOf(run: RpcAnswer | undefined, asset: string): string | undefined {
  if (run !== undefined && "error" in run) {
    return `The transfer of ${asset} would fail: ${run.error.message}`;
  }
  const returned = resultOf(run);
  return typeof returned === "string" && noTransfer.test(returned)
    ? `The contract of ${asset} refuses the transfer.`
    : undefined;
}

/** The base fee can double within six blocks. */
function readFees(
  { node }: PayingAccount,
  block: RpcAnswer | undefined,
  tip: RpcAnswer | undefined,
  replaced: PreparedPayout | undefined,
): { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint } {
  const read = node.read("eth_getBlockByNumber");
  const base = read.quantity(read.fields(resultOf(block))["baseFeePerGas"], "baseFeePerGas");
  const asked = node.read("eth_maxPriorityFeePerGas").quantity(resultOf(tip), "fee");
  const old = replaced && readPrepared(replaced);
  const least = old === undefined ? leastPriorityFee : raised(old.maxPriorityFeePerGas);
  const maxPriorityFeePerGas = asked > least ? asked : least;
  const wanted = 2n * base + maxPriorityFeePerGas;
  const leastFee = old === undefined ? 0n : raised(old.maxFeePerGas);
  return { maxFeePerGas: wanted > leastFee ? wanted : leastFee, maxPriorityFeePerGas };
}

function readPrepared({ unsigned }: PreparedPayout) {
  const transaction = Transaction.fromHex(unsigned, false);
  if (transaction.type !== "eip1559") throw new Error("A prepared payout is of another type.");
  return (transaction as FeeTransaction).raw;
}

/** The lowest, so that a cancelled payout leaves no gap that keeps the next ones from being mined. */
function freeNonce(first: number, taken: ReadonlySet<string>): number {
  let nonce = first;
  while (taken.has(`${pinPrefix}${nonce}`)) nonce += 1;
  return nonce;
}

export function nonceOf({ pins }: Pick<PreparedPayout, "pins">): number {
  const [pin = ""] = pins;
  return Number(pin.slice(pinPrefix.length));
}

function owed(payouts: readonly OpenPayout[], asset: Asset): bigint {
  return payouts.reduce((sum, { units }) => sum + (units.get(asset) ?? 0n), 0n);
}

function missing({ network, from }: PayingAccount, asset: Asset, units: bigint): Result<never> {
  return refuse("conflict", { message: `${network} lacks ${textOf(units, asset)} at ${from}.` });
}

/** An amount as people read it. */
export function textOf(units: bigint, asset: Asset): string {
  const decimals = asset === "ETH" ? etherDecimals : tokenDecimals;
  const digits = String(units).padStart(decimals + 1, "0");
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)} ${asset}`;
}
