import { ok, refuse } from "#kernel/result.ts";
import type { PayoutOrder, PreparedPayout } from "#ports/payouts.ts";
import type { Result } from "#ports/result.ts";
import { SettlementUnavailable } from "#ports/settlement.ts";
import { readAddress } from "./account-key.ts";
import { coinsOf } from "./amounts.ts";
import { checkChain, syncWallet } from "./check-chain.ts";
import { walletPin, type PayoutChain, type UnsignedTransfer } from "./payout-wallet.ts";
import { RpcRefusal } from "./rpc.ts";

const [notEnough, notEnoughUnlocked] = [-17, -37];

/**
 * The wallet does not know which outputs earlier transactions spend before it has their key images, and would choose
 * the same ones again. So a payout pins the whole wallet until it ends.
 */
export async function preparePayout(
  chain: PayoutChain,
  { outputs, replaces }: PayoutOrder,
  taken: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<Result<PreparedPayout>> {
  const { network, moneroNetwork } = chain;
  if (replaces !== undefined) {
    return refuse("conflict", {
      message: `A transaction on ${network} cannot be replaced. It is mined as soon as there is room.`,
    });
  }
  if (taken.has(walletPin)) {
    return refuse("conflict", {
      message: `Another payout on ${network} is not finished. Wait until it is confirmed, or cancel it: the wallet cannot tell which coins it spends.`,
    });
  }
  const foreign = outputs.find(({ destination }) => !readAddress(destination, moneroNetwork));
  if (foreign !== undefined) {
    const message = `${foreign.destination} is not an address of ${network}.`;
    return refuse("conflict", { message });
  }
  await openSynced(chain, signal);
  const built = await build(chain, outputs, signal);
  return built.ok ? ok({ ...built.value, pins: [walletPin], feeAsset: "XMR" }) : built;
}

/** Opens the wallet, and lets it scan up to the daemon's last block. */
async function openSynced(chain: PayoutChain, signal: AbortSignal): Promise<void> {
  const info = await checkChain(chain, signal);
  await chain.wallet.open(signal);
  const scanned = await syncWallet(chain, info, signal);
  if (scanned === info.tip.height + 1) return;
  throw new SettlementUnavailable(
    `The wallet of ${chain.network} has scanned ${scanned} blocks of ${info.tip.height + 1}. Try again later.`,
  );
}

async function build(
  { network, payoutWallet }: PayoutChain,
  outputs: PayoutOrder["outputs"],
  signal: AbortSignal,
): Promise<Result<UnsignedTransfer>> {
  try {
    return ok(await payoutWallet.transfer(outputs, signal));
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error;
    if (error.code !== notEnough && error.code !== notEnoughUnlocked) {
      const message = `The wallet of ${network} cannot pay this: ${error.message}`;
      return refuse("conflict", { message });
    }
  }
  const paid = outputs.reduce((sum, { amountUnits }) => sum + amountUnits, 0n);
  const { units, unlockedUnits } = await payoutWallet.sums(signal);
  const missing = paid > unlockedUnits ? paid - unlockedUnits : 0n;
  return refuse("conflict", {
    message: `${network} lacks ${coinsOf(missing)} and the fee: this payout needs ${coinsOf(paid)}, and the wallet has ${coinsOf(unlockedUnits)} that it can spend now, of ${coinsOf(units)}. Coins can be spent after ten blocks.`,
  });
}
