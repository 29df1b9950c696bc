import type { BroadcastOutcome, Payouts } from "#ports/payouts.ts";
import { acceptPayout } from "./accept-payout.ts";
import { checkChain, syncWallet } from "./check-chain.ts";
import { payoutFate } from "./payout-fate.ts";
import type { PayoutChain } from "./payout-wallet.ts";
import { preparePayout } from "./prepare-payout.ts";
import { readTransaction } from "./transaction.ts";
import { verifyPayment } from "./verify-payment.ts";

/** A transaction has at most 16 outputs, and one of them is the change. */
const maxOutputs = 15;

/** Payouts as unsigned transfer sets of the view-only wallet, which an offline wallet with the spend key signs. */
export function createMoneroPayouts(chain: PayoutChain): Payouts {
  return {
    format: "monero",
    maxOutputs,
    prepare: (order, { taken }, signal) => preparePayout(chain, order, taken, signal),
    accept: (prepared, signed, order, signal) =>
      acceptPayout(chain, prepared, signed, order, signal),
    rehearse: (raw, signal) => rehearse(chain, raw, signal),
    broadcast: (raw, signal) => broadcast(chain, raw, signal),
    fate: (sent, signal) => payoutFate(chain, sent, signal),
    verify: (transactionId, payment, signal) =>
      verifyPayment(chain, transactionId, payment, signal),
    balances: async (_, signal) => {
      const info = await checkChain(chain, signal);
      await chain.wallet.open(signal);
      await syncWallet(chain, info, signal);
      const { units } = await chain.payoutWallet.sums(signal);
      return { units: new Map([["XMR", units]]), spent: [] };
    },
  };
}

/** A daemon that is asked to check a transaction keeps it, and may mine it. So only its coins are checked. */
async function rehearse(
  chain: PayoutChain,
  raw: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  await checkChain(chain, signal);
  const transaction = readTransaction(raw);
  if (transaction?.id === undefined) return "The stored transaction cannot be read.";
  const spent = await chain.daemon.spent(transaction.keyImages, signal);
  if (spent.every((status) => status === "UNSPENT")) return undefined;
  const isKnown = (await chain.daemon.transactions([transaction.id], signal)).has(transaction.id);
  return isKnown
    ? undefined
    : "another transaction has spent the same coins. Cancel this payout and prepare another one";
}

/** The daemon words refusals differently, so whether it knows the transaction decides. */
async function broadcast(
  chain: PayoutChain,
  raw: string,
  signal: AbortSignal,
): Promise<BroadcastOutcome> {
  await checkChain(chain, signal);
  const outcome = await chain.daemon.send(raw, signal);
  const id = readTransaction(raw)?.id;
  if (typeof outcome === "string" || id === undefined) return outcome;
  return (await chain.daemon.transactions([id], signal)).has(id) ? "KNOWN" : outcome;
}
