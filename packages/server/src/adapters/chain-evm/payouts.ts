import { Transaction } from "micro-eth-signer";
import { ok, refuseField } from "#kernel/result.ts";
import type { BroadcastOutcome, Payouts, PreparedPayout, SignedPayout } from "#ports/payouts.ts";
import type { Result } from "#ports/result.ts";
import type { Asset } from "#ports/settlement.ts";
import { resultOf } from "../json-rpc.ts";
import { hexOf } from "./answers.ts";
import { checkChain } from "./check-chain.ts";
import { encodeBalanceOf } from "./erc20.ts";
import { fateOfPayout, verifyPayment } from "./payout-fate.ts";
import { preparePayout, type FeeTransaction, type PayingAccount } from "./prepare-payout.ts";

/** Payouts from the address at 1/0, which the operator funds. */
export function createEvmPayouts(account: PayingAccount): Payouts {
  return {
    format: "evm",
    maxOutputs: 1,
    prepare: (order, wallet, signal) => preparePayout(account, order, wallet, signal),
    accept: async (prepared, signed) => acceptPayout(prepared, signed),
    rehearse: (raw, signal) => rehearse(account, raw, signal),
    broadcast: (raw, signal) => broadcast(account, raw, signal),
    fate: (sent, signal) => fateOfPayout(account, sent, signal),
    verify: (transactionId, payment, signal) =>
      verifyPayment(account, transactionId, payment, signal),
    balances: async (_, signal) => ({ units: await balancesOf(account, signal), spent: [] }),
  };
}

/** The signature is all that may differ from the prepared transaction. */
function acceptPayout(prepared: PreparedPayout, signed: string): Result<SignedPayout> {
  const transaction = parse(signed.trim());
  if (transaction === undefined) {
    return refuseField("signed", "must be a signed transaction as 0x-hex");
  }
  if (!transaction.isSigned) return refuseField("signed", "must be signed");
  const difference = differenceOf(transaction, prepared);
  if (difference !== undefined) return refuseField("signed", difference);
  return ok({ transactionId: transaction.hash, raw: transaction.toHex() });
}

function differenceOf(
  transaction: FeeTransaction,
  { unsigned, from }: PreparedPayout,
): string | undefined {
  if (transaction.toHex({ includeSignature: false }) !== unsigned) {
    return "must not change anything but the signature";
  }
  return transaction.sender === from ? undefined : `must be signed with the key of ${from}`;
}

/** Undefined when the text is no transaction, or one of another type. */
function parse(text: string): FeeTransaction | undefined {
  try {
    const transaction = Transaction.fromHex(text, false);
    return transaction.type === "eip1559" ? (transaction as FeeTransaction) : undefined;
  } catch {
    return undefined;
  }
}

async function rehearse(
  account: PayingAccount,
  raw: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { node, from } = account;
  await checkChain(account, signal);
  const { to, value, data, nonce, gasLimit } = Transaction.fromHex(raw, false).raw;
  const call = { from, to, value: hexOf(value), data: data || "0x", gas: hexOf(gasLimit) };
  const [count, run] = await node.ask(
    [
      { method: "eth_getTransactionCount", params: [from, "latest"] },
      { method: "eth_call", params: [call, "latest"] },
    ],
    signal,
  );
  if (node.read("eth_getTransactionCount").quantity(resultOf(count), "count") > nonce) {
    return `The nonce ${nonce} of ${from} is used already.`;
  }
  return run !== undefined && "error" in run ? run.error.message : undefined;
}

/** Nodes word the same refusal differently, so whether they know the transaction decides. */
async function broadcast(
  account: PayingAccount,
  raw: string,
  signal: AbortSignal,
): Promise<BroadcastOutcome> {
  const { node } = account;
  await checkChain(account, signal);
  const [answer] = await node.ask([{ method: "eth_sendRawTransaction", params: [raw] }], signal);
  if (answer === undefined || !("error" in answer)) return "SENT";
  const transactionId = Transaction.fromHex(raw, false).hash;
  const isKnown = (await node.transactions([transactionId], signal)).has(transactionId);
  return isKnown ? "KNOWN" : { rejected: answer.error.message };
}

async function balancesOf(
  account: PayingAccount,
  signal: AbortSignal,
): Promise<ReadonlyMap<Asset, bigint>> {
  const { node, from, tokens } = account;
  await checkChain(account, signal);
  const data = encodeBalanceOf(from);
  const [ether, ...held] = await node.ask(
    [
      { method: "eth_getBalance", params: [from, "latest"] },
      ...tokens.map(({ contract: to }) => ({
        method: "eth_call",
        params: [{ to, data }, "latest"],
      })),
    ],
    signal,
  );
  const units = new Map<Asset, bigint>([
    ["ETH", node.read("eth_getBalance").quantity(resultOf(ether), "balance")],
  ]);
  for (const [index, { asset }] of tokens.entries()) {
    units.set(asset, node.read("eth_call").quantity(resultOf(held[index]), "balance"));
  }
  return units;
}
