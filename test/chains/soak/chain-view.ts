import type { Litecoind } from "#test/litecoind.ts";

/** A payment as the node tells it, read without the adapter. */
export interface ChainOutput {
  /** `transaction:index` */
  readonly key: string;
  readonly address: string;
  readonly units: bigint;
  /** 0 in the pool. */
  readonly confirmations: number;
}

type Payment = Omit<ChainOutput, "confirmations">;

interface Transaction {
  readonly txid: string;
  readonly vout: readonly {
    readonly n: number;
    readonly value: number;
    readonly scriptPubKey: { readonly addresses?: readonly string[] };
  }[];
}

/** What is on the chain and in the pool now, from a height on. */
export class ChainView {
  readonly #node: Litecoind;
  readonly #fromHeight: number;
  readonly #blocks = new Map<string, readonly Payment[]>();

  constructor(node: Litecoind, fromHeight: number) {
    this.#node = node;
    this.#fromHeight = fromHeight;
  }

  async outputs(own: ReadonlySet<string>): Promise<readonly ChainOutput[]> {
    const tip = await this.#node.rpc<number>("getblockcount");
    const found: ChainOutput[] = [];
    for (let height = this.#fromHeight; height <= tip; height += 1) {
      const hash = await this.#node.rpc<string>("getblockhash", [height]);
      const payments = this.#blocks.get(hash) ?? (await this.#readBlock(hash));
      this.#blocks.set(hash, payments);
      found.push(...payments.map((one) => ({ ...one, confirmations: tip - height + 1 })));
    }
    for (const id of await this.#node.rpc<string[]>("getrawmempool")) {
      const transaction = await this.#node.rpc<Transaction>("getrawtransaction", [id, true]);
      found.push(...paymentsOf(transaction).map((one) => ({ ...one, confirmations: 0 })));
    }
    return found.filter(({ address }) => own.has(address));
  }

  async #readBlock(hash: string): Promise<readonly Payment[]> {
    const { tx } = await this.#node.rpc<{ tx: Transaction[] }>("getblock", [hash, 2]);
    return tx.flatMap(paymentsOf);
  }
}

function paymentsOf({ txid, vout }: Transaction): readonly Payment[] {
  return vout.flatMap(({ n, value, scriptPubKey: { addresses = [] } }) =>
    addresses.map((address) => ({
      key: `${txid}:${n}`,
      address,
      units: BigInt(value.toFixed(8).replace(".", "")),
    })),
  );
}
