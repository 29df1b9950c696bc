import type { Signature } from "./statement.ts";

/** What the service signs: how much it owed to all customers at one moment. */
export interface LiabilitiesHead {
  /** The UTC date of `at`. */
  readonly date: string;
  readonly rootHash: string;
  readonly totalCents: number;
  /** When the balances were read. */
  readonly at: string;
}

/** A node of a Merkle sum tree. Its hash covers the hashes and the sums of both children. */
export interface SumNode {
  readonly hash: string;
  readonly sumCents: number;
}

/** A sibling on the way from a leaf to the root. */
export interface PathStep extends SumNode {
  readonly side: "LEFT" | "RIGHT";
}

export interface InclusionProof {
  readonly salt: string;
  /** SHA-256 of `salt:accountId`. */
  readonly account: string;
  /** Spendable and held money together. */
  readonly balanceCents: number;
  readonly path: readonly PathStep[];
}

export interface Liabilities {
  readonly date: string;
  readonly rootHash: string;
  readonly totalCents: number;
  readonly head: LiabilitiesHead;
  readonly signature: Signature;
  /** Null if the account is not in the tree. */
  readonly proof: InclusionProof | null;
}
