import type { Chain, ChainCursor, OutputKey, Scan, Sighting } from "#server/ports/settlement.ts";

export interface WatchedOutput extends Sighting {
  readonly isGone: boolean;
}

const mostPages = 1000;

/** Follows one chain as the service does: it remembers the cursor, the issued addresses and the outputs. */
export class ChainWatch {
  readonly chain: Chain;
  cursor: ChainCursor | undefined;
  #nextIndex: number;
  readonly #asset;
  readonly #issued = new Set<string>();
  readonly #outputs = new Map<string, WatchedOutput>();
  readonly #signal = new AbortController().signal;

  constructor(chain: Chain, firstIndex: number) {
    this.chain = chain;
    this.#nextIndex = firstIndex;
    const [asset] = chain.assets.keys();
    if (asset === undefined) throw new Error(`${chain.network} has no asset.`);
    this.#asset = asset;
  }

  issue(): string {
    const address = this.chain.addressAt(this.#nextIndex, this.#asset);
    this.#nextIndex += 1;
    this.#issued.add(address);
    return address;
  }

  /** All outputs that were ever seen, in the order of their first sighting. */
  get outputs(): readonly WatchedOutput[] {
    return [...this.#outputs.values()];
  }

  output(transactionId: string, outputIndex = 0): WatchedOutput | undefined {
    return this.#outputs.get(keyOf({ transactionId, outputIndex }));
  }

  /** Reads one page, with another chain adapter if the node was replaced. */
  async scan(chain = this.chain): Promise<Scan> {
    const own = {
      among: async (addresses: readonly string[]) =>
        new Set(addresses.filter((address) => this.#issued.has(address))),
    };
    const scan = await chain.scan(this.cursor, own, this.#signal);
    this.cursor = scan.cursor;
    for (const sighting of scan.outputs) {
      this.#outputs.set(keyOf(sighting), { ...sighting, isGone: false });
    }
    return scan;
  }

  async recheck(chain = this.chain): Promise<void> {
    if (this.cursor === undefined) throw new Error("Scan before the recheck.");
    for (const fate of await chain.recheck(this.outputs, this.cursor, this.#signal)) {
      const known = this.#outputs.get(keyOf(fate));
      if (known === undefined)
        throw new Error("The chain reported an output that it was not asked for.");
      this.#outputs.set(keyOf(fate), { ...known, ...fate });
    }
  }

  /** Reads all pages and then rechecks all outputs. Returns how many blocks the scans went back. */
  async catchUp(chain = this.chain): Promise<number> {
    let undone = 0;
    for (let page = 0; page < mostPages; page += 1) {
      const scan = await this.scan(chain);
      undone += scan.undone;
      if (scan.hasMore) continue;
      await this.recheck(chain);
      return undone;
    }
    throw new Error("The pages have no end.");
  }
}

function keyOf({ transactionId, outputIndex }: OutputKey): string {
  return `${transactionId}:${outputIndex}`;
}
