import { createAnswerReader, type AnswerReader } from "../answer-reader.ts";
import { unitsOf } from "./amounts.ts";

export interface BitcoinAnswerReader extends AnswerReader {
  /** 64 hexadecimal digits: a block or transaction hash. */
  hash(answer: unknown, name: string): string;
  /** The smallest units in an amount of whole coins. */
  units(answer: unknown, name: string): bigint;
}

const hashPattern = /^[0-9a-f]{64}$/;

export function answerReader(network: string, method: string): BitcoinAnswerReader {
  const reader = createAnswerReader(network, method);
  return {
    ...reader,
    hash: (answer, name) => {
      const value = reader.text(answer, name);
      return hashPattern.test(value) ? value : reader.fail(name);
    },
    units: (answer, name) => unitsOf(answer) ?? reader.fail(name),
  };
}
