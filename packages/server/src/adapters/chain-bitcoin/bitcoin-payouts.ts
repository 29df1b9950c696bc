import type { BroadcastOutcome, OwnCoin, Payouts, WalletBalances } from "#ports/payouts.ts";
import { acceptPayout } from "./accept-payout.ts";
import { checkChain } from "./check-chain.ts";
import { RpcRefusal } from "../json-rpc.ts";
import { payoutFate } from "./payout-fate.ts";
import { outpointOf } from "./payout-node.ts";
import type { PayoutChain } from "./payout-wallet.ts";
import { preparePayout } from "./prepare-payout.ts";
import { verifyPayment } from "./verify-payment.ts";

const maxOutputs = 100;
/** Bitcoin Core's codes. */
const [verifyError, verifyRejected, alreadyInChain, deserialization] = [-25, -26, -27, -22];

/** Payouts as PSBTs, which any wallet with the account's private key signs. */
export function createBitcoinPayouts(chain: PayoutChain): Payouts {
  const { payoutNode } = chain;
  return {
    format: "psbt",
    maxOutputs,
    prepare: (order, wallet, signal) => preparePayout(chain, order, wallet, signal),
    accept: async (prepared, signed) => acceptPayout(prepared, signed),
    rehearse: async (raw, signal) => {
      await checkChain(chain, signal);
      const reason = await payoutNode.testAccept(raw, signal);
      return reason === undefined || isKnown(reason) ? undefined : reason;
    },
    broadcast: (raw, signal) => broadcast(chain, raw, signal),
    fate: (sent, signal) => payoutFate(chain, sent, signal),
    verify: (transactionId, payment, signal) =>
      verifyPayment(chain, transactionId, payment, signal),
    balances: ({ coins }, signal) => walletBalances(chain, coins, signal),
  };
}

function isKnown(reason: string): boolean {
  return reason === "txn-already-in-mempool" || reason === "txn-already-known";
}

async function broadcast(
  chain: PayoutChain,
  raw: string,
  signal: AbortSignal,
): Promise<BroadcastOutcome> {
  await checkChain(chain, signal);
  try {
    await chain.payoutNode.send(raw, signal);
    return "SENT";
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error;
    if (error.code === alreadyInChain) return "KNOWN";
    if ([verifyError, verifyRejected, deserialization].includes(error.code)) {
      return { rejected: error.message };
    }
    throw error;
  }
}

async function walletBalances(
  chain: PayoutChain,
  coins: readonly OwnCoin[],
  signal: AbortSignal,
): Promise<WalletBalances> {
  await checkChain(chain, signal);
  const found = await chain.payoutNode.unspent(coins.map(outpointOf), false, signal);
  const isSpent = (coin: OwnCoin) => found.get(outpointOf(coin)) === undefined;
  const units = coins
    .filter((coin) => !isSpent(coin))
    .reduce((sum, { amountUnits }) => sum + amountUnits, 0n);
  return { units: new Map([[chain.asset, units]]), spent: coins.filter(isSpent) };
}
