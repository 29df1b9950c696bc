/** An address with a valid checksum, and the networks it can be paid on. */
export interface Address {
  /** "any" where the notation does not distinguish networks, as on Ethereum. */
  readonly network: "main" | "test" | "any";
  readonly normalized: string;
}
