import type { Asset, OwnAddresses, Sighting } from "#ports/settlement.ts";
import { SettlementUnavailable } from "#ports/settlement.ts";
import { confirmationsAt, type ChainHead, type WatchedChain } from "./check-chain.ts";
import { readTransfer, type Log, type Transfer } from "./erc20.ts";
import type { BalanceChanges, EvmBlock } from "./evm-node.ts";

interface Found {
  readonly asset: Asset;
  readonly address: string;
  readonly transactionId: string;
  readonly amountUnits: bigint;
  /** Undefined for ether. */
  readonly log?: Log;
  /** The transaction may have failed. */
  readonly isUnproven?: boolean;
}

/** Positions in a receipt are far below. */
const nativeIndexes = 2 ** 32;
const prefixDigits = 12;

/**
 * An address receives ether once in a transaction: the sum. Its index must not change, even if more addresses are
 * issued, so it comes from the address itself. The first 48 bits make two addresses differ.
 */
export function nativeIndex(address: string): number {
  return nativeIndexes + Number.parseInt(address.slice(2, 2 + prefixDigits), 16);
}

/** What of a block pays issued addresses. Asks once for all addresses. */
export async function findPayments(
  watched: WatchedChain,
  block: EvmBlock,
  own: OwnAddresses,
  head: ChainHead,
  signal: AbortSignal,
): Promise<readonly Sighting[]> {
  if (block.transactions.length === 0) return [];
  const { node, tokens } = watched;
  const assetOf = new Map(tokens.map(({ contract, asset }) => [contract, asset]));
  const { logs, changes } = await node.effects(block, [...assetOf.keys()], signal);
  const candidates = [
    ...tokenPayments(logs, assetOf),
    ...(changes === undefined ? directPayments(block) : risenBalances(changes)),
  ];
  const issued = await own.among(candidates.map(({ address }) => address));
  const found = candidates.filter(({ address }) => issued.has(address));
  if (found.length === 0) return [];

  const ids = [...new Set(found.map(({ transactionId }) => transactionId))];
  const receipts = await node.receipts(ids, signal);
  const { height, hash } = block;
  return found.flatMap(({ log, isUnproven, ...payment }): Sighting[] => {
    const receipt = receipts.get(payment.transactionId);
    if (receipt?.block.hash !== hash) {
      throw new SettlementUnavailable(
        `The node of ${watched.network} changed its chain. Try again.`,
      );
    }
    if (isUnproven === true && !receipt.isSuccess) return [];
    const outputIndex =
      log === undefined
        ? nativeIndex(payment.address)
        : receipt.logs.findIndex(({ indexInBlock }) => indexInBlock === log.indexInBlock);
    const confirmations = confirmationsAt(head, height);
    return [{ ...payment, outputIndex, block: { height, hash }, confirmations }];
  });
}

/** A zero transfer pays nothing: it plants look-alike addresses in histories. */
function tokenPayments(
  logs: readonly Log[],
  assetOf: ReadonlyMap<string, Asset>,
): readonly Found[] {
  return logs.flatMap((log): Found[] => {
    const transfer: Transfer | undefined = readTransfer(log);
    const asset = assetOf.get(log.contract);
    if (transfer === undefined || asset === undefined || transfer.amountUnits === 0n) return [];
    const { to: address, amountUnits } = transfer;
    return [{ asset, address, amountUnits, transactionId: log.transactionId, log }];
  });
}

/** Ether from transactions and from contracts, as far as it stayed. */
function risenBalances(changes: BalanceChanges): readonly Found[] {
  return [...changes].flatMap(([transactionId, rises]) =>
    [...rises].map(([address, amountUnits]): Found => ({
      asset: "ETH",
      address,
      transactionId,
      amountUnits,
    })),
  );
}

/** All that a node without traces can report. Ether from contracts is missing. */
function directPayments({ transactions }: EvmBlock): readonly Found[] {
  return transactions.flatMap(({ id, to, amountUnits }): Found[] =>
    to === undefined || amountUnits === 0n
      ? []
      : [{ asset: "ETH", address: to, transactionId: id, amountUnits, isUnproven: true }],
  );
}
