import type { Fields } from "../answer-reader.ts";
import type { BitcoinAnswerReader } from "./answers.ts";
import { isSegwitScript } from "./segwit-script.ts";

export interface Transaction {
  readonly id: string;
  readonly isCoinbase: boolean;
  /** Outputs with native segwit scripts. No deposit address has another script. */
  readonly outputs: readonly TransactionOutput[];
}

export interface TransactionOutput {
  readonly index: number;
  readonly script: string;
  readonly amountUnits: bigint;
}

/** Litecoin's MWEB transactions can lack inputs, outputs and scripts. */
export function readTransaction(read: BitcoinAnswerReader, answer: unknown): Transaction {
  const { txid, vin, vout } = read.fields(answer);
  return {
    id: read.hash(txid, "txid"),
    isCoinbase: read.list(vin ?? [], "vin").some((input) => "coinbase" in read.fields(input)),
    outputs: read.list(vout ?? [], "vout").flatMap((output) => {
      const fields = read.fields(output);
      const script = scriptOf(fields);
      return script === undefined ? [] : [readOutput(read, fields, script)];
    }),
  };
}

function scriptOf({ scriptPubKey }: Fields): string | undefined {
  if (typeof scriptPubKey !== "object" || scriptPubKey === null) return undefined;
  const { hex } = scriptPubKey as Fields;
  return typeof hex === "string" && isSegwitScript(hex) ? hex : undefined;
}

function readOutput(
  read: BitcoinAnswerReader,
  { n, value }: Fields,
  script: string,
): TransactionOutput {
  return {
    index: read.integer(n, "output number"),
    script,
    amountUnits: read.units(value, "output value"),
  };
}
