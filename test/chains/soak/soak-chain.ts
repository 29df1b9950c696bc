import {
  startLitecoinChain,
  type LitecoinChain,
  type PaymentOutput,
} from "#test/litecoin-chain.ts";
import { RpcError } from "#test/litecoind.ts";

const miner = "miner";

/** Events of a chain that a node may refuse. Each resolves to whether it happened. */
export class SoakChain {
  readonly chain: LitecoinChain;
  /** Every transaction that was ever sent, as hexadecimal text. */
  readonly #sent = new Map<string, string>();
  #highest = 0;

  private constructor(chain: LitecoinChain) {
    this.chain = chain;
  }

  static async start(): Promise<SoakChain> {
    // The wallet would put its transactions back into a pool that has lost them.
    const chain = await startLitecoinChain({ arguments: ["-walletbroadcast=0"] });
    const soak = new SoakChain(chain);
    await soak.#afterEvent();
    return soak;
  }

  get sent(): readonly string[] {
    return [...this.#sent.keys()];
  }

  /** Sent transactions that wait in the pool. */
  async waiting(): Promise<readonly string[]> {
    const pool = await this.chain.node.rpc<string[]>("getrawmempool");
    return pool.filter((id) => this.#sent.has(id));
  }

  pay(outputs: readonly PaymentOutput[]): Promise<boolean> {
    return this.#attempt(async () => {
      const { transactionId } = await this.chain.payMany(outputs);
      await this.#remember(transactionId);
    });
  }

  mine(blocks: number): Promise<boolean> {
    return this.#attempt(() => this.chain.mine(blocks));
  }

  /** A block without the transactions of the pool. */
  mineEmpty(): Promise<boolean> {
    return this.#attempt(async () =>
      this.chain.node.rpc("generateblock", [await this.chain.newAddress(), []]),
    );
  }

  reorganise(depth: number, mineAgain: boolean): Promise<boolean> {
    return this.#attempt(() => this.chain.reorganise(depth, { mineAgain }));
  }

  replace(transactionId: string): Promise<boolean> {
    return this.#attempt(async () => {
      const replacement = await this.chain.replaceWithHigherFee(transactionId);
      await this.#remember(replacement);
      await this.#send(replacement);
    });
  }

  doubleSpend(transactionId: string): Promise<boolean> {
    return this.#attempt(() => this.chain.doubleSpend(transactionId));
  }

  /** Sends an old transaction again, which was replaced, dropped or orphaned. */
  sendAgain(transactionId: string): Promise<boolean> {
    return this.#attempt(() => this.#send(transactionId));
  }

  /** Without its pool unless the shutdown is orderly. */
  async restart(isOrderly: boolean, whileDown: () => Promise<void>): Promise<void> {
    const { node } = this.chain;
    if (!isOrderly) {
      await node.kill({ keepBlocks: true });
      await whileDown();
    }
    await node.restart();
    await this.#whenPoolIsLoaded();
    for (const transactionId of this.#sent.keys()) {
      // Frees the coins of transactions that the pool has lost.
      await this.#attempt(() => node.walletRpc(miner, "abandontransaction", [transactionId]));
    }
  }

  async #whenPoolIsLoaded(): Promise<void> {
    const { node } = this.chain;
    while (!(await node.rpc<{ loaded: boolean }>("getmempoolinfo")).loaded);
  }

  async #remember(transactionId: string): Promise<void> {
    const { hex } = await this.chain.node.walletRpc<{ hex: string }>(miner, "gettransaction", [
      transactionId,
    ]);
    this.#sent.set(transactionId, hex);
  }

  async #send(transactionId: string): Promise<void> {
    await this.chain.node.rpc("sendrawtransaction", [this.#sent.get(transactionId)]);
  }

  async #attempt(event: () => Promise<unknown>): Promise<boolean> {
    let happened = true;
    try {
      await event();
    } catch (error) {
      // The node refuses what no longer fits: a mined transaction cannot be replaced, spent coins cannot be sent.
      if (!(error instanceof RpcError)) throw error;
      happened = false;
    }
    await this.#afterEvent();
    return happened;
  }

  /** A refused double spend can leave the chain shorter. A chain of a real network never ends so. */
  async #afterEvent(): Promise<void> {
    const { node } = this.chain;
    const height = await node.rpc<number>("getblockcount");
    if (height < this.#highest) await this.chain.mine(this.#highest - height + 1);
    this.#highest = await node.rpc<number>("getblockcount");
  }
}
