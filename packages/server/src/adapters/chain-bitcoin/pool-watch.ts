import type { OwnAddresses, Sighting } from "#ports/settlement.ts";
import type { BitcoinNode } from "./bitcoin-node.ts";
import { findPayments, type PaymentTerms } from "./payments.ts";
import type { Transaction } from "./transactions.ts";

export interface PoolScan {
  readonly outputs: readonly Sighting[];
  /** False when there was no time for all new transactions. */
  readonly isComplete: boolean;
}

export interface PoolWatch {
  scan(own: OwnAddresses, isOutOfTime: () => boolean, signal: AbortSignal): Promise<PoolScan>;
}

/** A standard transaction has up to 1.6 MB in its verbose form. */
const batchSize = 20;
const maxNewPerScan = 5000;
const maxRemembered = 500_000;
const none: readonly Sighting[] = [];

/**
 * Reads each transaction of the pool once. Payments are reported at every scan while they are in the
 * pool, so that a caller who could not store them gets them again.
 */
export function createPoolWatch(node: BitcoinNode, terms: PaymentTerms): PoolWatch {
  let examined: ReadonlyMap<string, readonly Sighting[]> = new Map();

  return {
    scan: async (own, isOutOfTime, signal) => {
      const ids = (await node.pool(signal)).slice(0, maxRemembered);
      const current = new Map<string, readonly Sighting[]>();
      const fresh: string[] = [];
      for (const id of ids) {
        const known = examined.get(id);
        if (known === undefined) fresh.push(id);
        else current.set(id, known);
      }

      const transactions: Transaction[] = [];
      let read = 0;
      while (read < Math.min(fresh.length, maxNewPerScan) && (read === 0 || !isOutOfTime())) {
        const batch = fresh.slice(read, read + batchSize);
        transactions.push(...(await node.poolTransactions(batch, signal)));
        read += batch.length;
      }
      const found = await findPayments(transactions, undefined, own, terms);
      const byTransaction = Map.groupBy(found, ({ transactionId }) => transactionId);
      for (const id of fresh.slice(0, read)) current.set(id, byTransaction.get(id) ?? none);

      examined = current;
      return { outputs: [...current.values()].flat(), isComplete: read === fresh.length };
    },
  };
}
