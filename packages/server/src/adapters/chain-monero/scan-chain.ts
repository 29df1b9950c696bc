import {
  SettlementUnavailable,
  type ChainCursor,
  type OwnAddresses,
  type Scan,
  type Sighting,
} from "#ports/settlement.ts";
import { checkChain, syncWallet, type WatchedChain } from "./check-chain.ts";
import { findPosition } from "./find-position.ts";
import type { DaemonInfo } from "./monero-daemon.ts";
import { isLocked } from "./unlock-time.ts";
import type { WalletPayment } from "./view-wallet.ts";

export interface ScanOptions extends WatchedChain {
  readonly finalDepth: number;
}

/** The wallet lists all payments of a page in one answer. */
const blocksPerPage = 1000;
/** The network does not let the reward of a block be spent earlier. */
const coinbaseMaturity = 60;

export async function scanChain(
  options: ScanOptions,
  cursor: ChainCursor | undefined,
  own: OwnAddresses,
  signal: AbortSignal,
): Promise<Scan> {
  const { network, wallet, daemon } = options;
  const info = await checkChain(options, signal);
  const position = await findPosition(options, cursor, info.tip, signal);
  const { undone } = position;
  if (cursor !== undefined && position.mustWait) {
    return { cursor, undone: 0, outputs: [], fates: [], hasMore: false };
  }

  await wallet.open(signal);
  await wallet.checkIssued(own, signal);
  const scanned = (await syncWallet(options, info, signal)) - 1;
  if (scanned > info.tip.height) {
    throw new SettlementUnavailable(
      `The wallet of ${network} is at block ${scanned}, ahead of the daemon at ${info.tip.height}`,
    );
  }
  const last = Math.min(scanned, position.from + blocksPerPage - 1);
  if (last < position.from) {
    if (cursor === undefined) {
      throw new SettlementUnavailable(
        `The wallet of ${network} is at block ${scanned}, before the birth height`,
      );
    }
    if (position.undone > 0 || scanned < info.tip.height) {
      return { cursor, undone: 0, outputs: [], fates: [], hasMore: false };
    }
  }
  const withPool = last >= info.tip.height;
  const page = { from: position.from, to: Math.max(last, position.from - 1), withPool };
  const payments = await wallet.payments(page, signal);
  const outputs = await sightingsOf(options, payments, { own, page, info, signal });
  const end = { height: page.to, hash: await daemon.hashAt(page.to, signal) };

  // The wallet followed the daemon to this tip only if the tip did not change meanwhile. Otherwise the wallet may
  // have missed a block of the daemon's new branch.
  if (await wallet.open(signal)) {
    throw new SettlementUnavailable(
      `The wallet of ${network} was closed during the scan. It must serve this service alone.`,
    );
  }
  if ((await daemon.info(signal)).tip.hash !== info.tip.hash) {
    throw new SettlementUnavailable(`The daemon of ${network} has a new block. Try again.`);
  }
  return { cursor: end, undone, outputs, fates: [], hasMore: page.to < scanned };
}

interface Page {
  readonly own: OwnAddresses;
  readonly page: { readonly from: number; readonly to: number };
  readonly info: DaemonInfo;
  readonly signal: AbortSignal;
}

/** Trusts only what both the wallet and the daemon say. */
async function sightingsOf(
  { network, daemon }: ScanOptions,
  payments: readonly WalletPayment[],
  { own, page, info, signal }: Page,
): Promise<readonly Sighting[]> {
  const issued = await own.among(payments.map(({ address }) => address));
  const found = payments.filter(
    ({ address, height }) =>
      issued.has(address) && (height === undefined || (height >= page.from && height <= page.to)),
  );
  const ids = [...new Set(found.map(({ transactionId }) => transactionId))];
  const transactions = await daemon.transactions(ids, signal);
  const hashes = new Map<number, string>();
  const sightings: Sighting[] = [];
  for (const payment of found) {
    const { transactionId, minor, address, amountUnits, height, isCoinbase } = payment;
    const transaction = transactions.get(transactionId);
    if (height === undefined) {
      // The wallet forgets the pool later than the daemon, and lists a mined transaction under both.
      if (transaction === undefined || transaction.height !== undefined) continue;
    } else if (transaction?.height !== height) {
      throw new SettlementUnavailable(
        `The wallet and the daemon of ${network} are on different branches. Both must use the same daemon.`,
      );
    }
    if (height !== undefined && !hashes.has(height)) {
      hashes.set(height, await daemon.hashAt(height, signal));
    }
    sightings.push({
      asset: "XMR",
      address,
      transactionId,
      outputIndex: minor,
      amountUnits,
      block: height === undefined ? undefined : { height, hash: hashes.get(height) ?? "" },
      confirmations: height === undefined ? 0 : info.tip.height - height + 1,
      isLocked: isLocked(transaction?.unlockTime ?? 0n, info),
      ...(isCoinbase && { confirmationsNeeded: coinbaseMaturity }),
    });
  }
  return sightings;
}
