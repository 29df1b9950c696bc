import type { Asset, Chain } from "#server/ports/settlement.ts";

/** A kind of chain whose adapter must keep the guarantees. Each has a real node. */
export interface ChainKind {
  /** The node's program. */
  readonly name: string;
  readonly asset: Asset;
  /** USD per unit of the asset. A coin of the tests is worth 100 USD and has 100,000,000 parts on every chain. */
  readonly rate: string;
  /** Whether the adapter reports payments that are in no block yet. */
  readonly seesPool: boolean;
  /** The smallest payment, as a decimal. */
  readonly dust: string;
  /** Whether all outputs of one transaction to one address are one payment. */
  readonly mergesOutputs: boolean;
  /** Whether a payment in the pool can be replaced by one with a higher fee. */
  readonly canReplace: boolean;
  /** For the `skip` option of a test: false, or why there is no node. */
  readonly skip: string | false;
  /** The network that the tests of this process share. */
  shared(): Promise<TestNetwork>;
  /** A network of its own, for a test that stops its node. */
  start(): Promise<TestNetwork>;
  /** The adapter as the composition root creates it, in any process. */
  open(connection: ChainConnection): Chain;
}

/** What an adapter needs to reach a node. Plain data, so that another process can use it. */
export interface ChainConnection {
  readonly url: string;
  /** Where the chain's wallet has an address of its own. */
  readonly walletUrl?: string;
  readonly credentialsFile: string;
  readonly birthHeight: number;
  readonly confirmationsNeeded: number;
}

/** Coins as a decimal, because a number would round. */
export interface Payment {
  readonly address: string;
  readonly coins: string;
}

/** A network with one payer, who is not the service, and one node. */
export interface TestNetwork {
  /** From the present tip on. */
  connect(confirmationsNeeded: number): Promise<ChainConnection>;
  /** An address that the service did not issue. */
  foreignAddress(): Promise<string>;
  /** Sends one transaction into the pool. Resolves to its id. */
  pay(...payments: readonly Payment[]): Promise<string>;
  /** Mines one transaction with payments so small that nodes do not relay them. */
  mineUnrelayed(...payments: readonly Payment[]): Promise<string>;
  /** Mines blocks with everything in the pool. */
  mine(blocks?: number): Promise<void>;
  /** Replaces the last blocks by one block more. Their transactions return to the pool or are mined again. */
  reorganise(depth: number, options?: { readonly mineAgain: boolean }): Promise<void>;
  /** Replaces a transaction of the pool by one with the same payments and a higher fee. */
  replace(transactionId: string): Promise<void>;
  /** Mines a transaction that spends the same coins elsewhere, in place of the first. */
  doubleSpend(transactionId: string): Promise<void>;
  /** The node learns of blocks that it does not have, until it has mined as many and one. */
  fallBehind(blocks: number): Promise<void>;

  killNode(): Promise<void>;
  restartNode(): Promise<void>;
  /** The node accepts calls and answers none of them until `release`. */
  hold(): void;
  release(): void;
  /**
   * Puts another node behind the same address: one that never had the last blocks, and has mined its own with the
   * same payments. `useFirstNode` undoes it.
   */
  useOtherNode(node: { readonly lacks: number; readonly mines: number }): Promise<void>;
  /** Puts a node of another chain behind the same address. */
  useOtherChain(): Promise<void>;
  useFirstNode(): Promise<void>;
  stop(): Promise<void>;
}
