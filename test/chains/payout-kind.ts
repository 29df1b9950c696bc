import type { PayoutRecord } from "#server/features/payouts/payout-record.ts";
import type { ChainKind, TestNetwork } from "./chain-kind.ts";

/** A kind of chain whose adapter prepares payouts, with the signer that has the private key. */
export interface PayoutKind {
  readonly kind: ChainKind;
  /** How many of these amounts one transaction can pay. */
  readonly batches: boolean;
  /** Whether a transaction costs exactly the fee that it was prepared with, and not less. */
  readonly isFeeExact: boolean;
  /** Whether each payout pins coins of its own. Otherwise a payout pins the whole wallet. */
  readonly pinsCoins: boolean;
  /** A rate that is not the kind's own. */
  readonly otherRate: string;
  /** Names a transaction that does not exist. */
  readonly unknownId: string;
  /** Gives the wallet this much to pay and what fees take, where deposits are not paid to it. */
  fund(network: TestNetwork, usd: number): Promise<void>;
  /** Signs what `unsigned` contains, as an operator's own wallet does. */
  sign(unsigned: string): Promise<string>;
  /** Signed transactions that differ from the prepared one in more than signatures, by what they change. */
  tampered(unsigned: string, foreignAddress: string): Promise<Readonly<Record<string, string>>>;
  /** Mines a transaction of the same key that uses the same pins for something else. Resolves to its id. */
  spendElsewhere(network: TestNetwork, unsigned: string): Promise<string>;
  /** How an operator names a payment of the network's payer as evidence. */
  evidence(transactionId: string): Promise<string>;
  /** What an address received in blocks, as the service writes amounts of the asset. */
  received(network: TestNetwork, address: string): Promise<string>;
}

/** What the desk knows of a payout. */
export type Payout = PayoutRecord;
