import type { Asset, OwnAddresses, Sighting } from "#ports/settlement.ts";
import type { BlockHeader } from "./bitcoin-node.ts";
import { addressOfScript } from "./segwit-script.ts";
import type { Transaction } from "./transactions.ts";

export interface PaymentTerms {
  readonly asset: Asset;
  /** The human-readable part of the chain's native segwit addresses. */
  readonly prefix: string;
}

/** The network does not let coinbase outputs be spent earlier. */
const coinbaseMaturity = 100;

/** The outputs that pay issued addresses. Asks once for all addresses. */
export async function findPayments(
  transactions: readonly Transaction[],
  block: BlockHeader | undefined,
  own: OwnAddresses,
  { asset, prefix }: PaymentTerms,
): Promise<readonly Sighting[]> {
  const scripts = transactions.flatMap(({ outputs }) => outputs.map(({ script }) => script));
  const addresses = new Map(scripts.map((script) => [script, addressOfScript(script, prefix)]));
  if (addresses.size === 0) return [];

  const issued = await own.among([...addresses.values()]);
  return transactions.flatMap(({ id, isCoinbase, outputs }) =>
    outputs.flatMap(({ index, script, amountUnits }): Sighting[] => {
      const address = addresses.get(script);
      if (address === undefined || !issued.has(address)) return [];
      return [
        {
          asset,
          address,
          transactionId: id,
          outputIndex: index,
          amountUnits,
          block: block && { height: block.height, hash: block.hash },
          confirmations: block?.confirmations ?? 0,
          ...(isCoinbase && { confirmationsNeeded: coinbaseMaturity }),
        },
      ];
    }),
  );
}
