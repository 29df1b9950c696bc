import { hex } from "@scure/base";
import { p2wpkh } from "@scure/btc-signer/payment.js";
import { Transaction } from "@scure/btc-signer/transaction.js";
import type { OwnCoin, PayoutOrder, PayoutWallet, PreparedPayout } from "#ports/payouts.ts";
import type { Result } from "#ports/result.ts";
import { coinsOf } from "./amounts.ts";
import { checkChain } from "./check-chain.ts";
import { destinationScript } from "./destination-script.ts";
import { outpointOf } from "./payout-node.ts";
import { baseSize, conflict, inputSize, outputSize, prepared } from "./payout-transaction.ts";
import { transactionOptions, type PayoutChain } from "./payout-wallet.ts";
import { replacePayout } from "./replace-payout.ts";

/** Replaceable (BIP 125), so that its fee can be raised. */
const sequence = 0xfffffffd;
const changeScriptSize = 22;
/** Without an estimate, ten times what the node relays at least. */
const fallbackFactor = 10;
/** A node that estimates more than this is wrong. */
const maxFeeRate = 1_000;

/** Pays with the largest coins first, so that the same order over the same coins gives the same inputs. */
export async function preparePayout(
  chain: PayoutChain,
  order: PayoutOrder,
  wallet: PayoutWallet,
  signal: AbortSignal,
): Promise<Result<PreparedPayout>> {
  await checkChain(chain, signal);
  const rate = await feeRate(chain, signal);
  if (order.replaces !== undefined) return replacePayout(chain, order.replaces, rate);

  const outputs: { readonly script: Uint8Array; readonly amount: bigint }[] = [];
  for (const { destination, amountUnits } of order.outputs) {
    if (amountUnits < chain.dustUnits) {
      return conflict(
        `${coinsOf(amountUnits)} ${chain.asset} to ${destination} is too little for ${chain.network} to relay. Reject the withdrawal.`,
      );
    }
    try {
      outputs.push({ script: destinationScript(destination, chain), amount: amountUnits });
    } catch {
      return conflict(`${destination} is not an address of ${chain.network}.`);
    }
  }
  const paid = outputs.reduce((sum, { amount }) => sum + amount, 0n);
  const fixedSize =
    baseSize + outputs.reduce((sum, { script }) => sum + outputSize + script.length, 0);
  const costOf = (inputs: number, withChange: boolean) =>
    BigInt(
      Math.ceil(
        rate * (fixedSize + inputs * inputSize + (withChange ? outputSize + changeScriptSize : 0)),
      ),
    );

  const spendable = await spendableCoins(chain, wallet, signal);
  const inputs: OwnCoin[] = [];
  let sum = 0n;
  for (const coin of spendable) {
    if (sum >= paid + costOf(inputs.length, true)) break;
    inputs.push(coin);
    sum += coin.amountUnits;
  }
  const least = paid + costOf(Math.max(1, inputs.length), false);
  if (sum < least) {
    return conflict(
      `${chain.network} lacks ${coinsOf(least - sum)} ${chain.asset}: this payout needs ${coinsOf(least)} with its fee, and the confirmed coins of the account key that no other payout spends are ${coinsOf(sum)} ${chain.asset}.`,
    );
  }
  const rest = sum - paid - costOf(inputs.length, true);
  const hasChange = rest >= chain.dustUnits;

  const transaction = new Transaction(transactionOptions);
  for (const coin of inputs) addCoin(chain, transaction, coin);
  for (const output of outputs) transaction.addOutput(output);
  if (!hasChange) return prepared(transaction, inputs.map(outpointOf), chain, sum - paid);
  const { changeIndex: index } = wallet;
  const change = { index, outputIndex: outputs.length, amountUnits: rest };
  transaction.addOutput({ ...changeOutput(chain, index), amount: rest });
  const payout = prepared(transaction, inputs.map(outpointOf), chain, sum - paid - rest);
  return { ok: true, value: { ...payout.value, change } };
}

async function feeRate({ payoutNode }: PayoutChain, signal: AbortSignal): Promise<number> {
  const least = await payoutNode.minFeeRate(signal);
  const estimate = (await payoutNode.feeRate(signal)) ?? least * fallbackFactor;
  return Math.min(Math.max(estimate, least), maxFeeRate);
}

/** Coins that have at least one confirmation, and that nothing in the pool spends. */
async function spendableCoins(
  { payoutNode }: PayoutChain,
  { coins, taken }: PayoutWallet,
  signal: AbortSignal,
): Promise<readonly OwnCoin[]> {
  const free = coins.filter((coin) => !taken.has(outpointOf(coin)));
  const found = await payoutNode.unspent(free.map(outpointOf), true, signal);
  return free.filter((coin) => (found.get(outpointOf(coin))?.confirmations ?? 0) > 0);
}

function addCoin(
  { key }: PayoutChain,
  transaction: Transaction,
  { transactionId, outputIndex, amountUnits, branch, index }: OwnCoin,
): void {
  const publicKey = key.childKey(branch, index);
  transaction.addInput({
    txid: hex.decode(transactionId),
    index: outputIndex,
    sequence,
    witnessUtxo: { script: p2wpkh(publicKey).script, amount: amountUnits },
    bip32Derivation: [[publicKey, { fingerprint: key.fingerprint, path: [branch, index] }]],
  });
}

function changeOutput({ key }: PayoutChain, index: number) {
  const publicKey = key.childKey(1, index);
  const path = { fingerprint: key.fingerprint, path: [1, index] };
  return {
    script: p2wpkh(publicKey).script,
    bip32Derivation: [[publicKey, path] as [Uint8Array, typeof path]],
  };
}
