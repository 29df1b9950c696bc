/** An address whose checksum holds, and where it can be paid. */
export interface Address {
  /** "any" where the spelling does not tell the networks apart, as on Ethereum. */
  readonly network: "main" | "test" | "any";
  readonly normalized: string;
}
