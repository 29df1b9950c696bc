/** A ledger entry of a statement. */
export interface StatementEntry {
  readonly id: string;
  readonly createdAt: string;
  readonly type: string;
  readonly amountUsd: number;
  readonly balanceAfterUsd: number;
  readonly description: string;
  readonly reference: { readonly kind: string; readonly id: string };
  readonly previousHash: string | null;
  readonly hash: string;
}

export interface StatementHead {
  readonly account: string;
  /** The hash of the last entry; null if the account has none. */
  readonly hash: string | null;
  /** The number of entries in the chain up to it, also those before the period. */
  readonly count: number;
  /** When it was signed. */
  readonly at: string;
}

export interface Signature {
  readonly keyId: string;
  readonly value: string;
}

export interface Statement {
  readonly openingBalanceUsd: number;
  readonly closingBalanceUsd: number;
  /** The hash of the last entry before the period; null if there is none. */
  readonly previousHash: string | null;
  readonly entries: readonly StatementEntry[];
  readonly head: StatementHead;
  readonly signature: Signature;
}

/** A published public key, in the form of a JSON Web Key. */
export interface StatementKey {
  readonly keyId: string;
  readonly kty: "OKP";
  readonly crv: "Ed25519";
  readonly x: string;
}

export interface StatementKeys {
  readonly keys: readonly StatementKey[];
}
