import { SettlementFailed } from "#ports/settlement.ts";
import { unitsOf } from "./amounts.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Reads a node's answer and names the call in the error when the answer is malformed. */
export interface AnswerReader {
  fields(answer: unknown): Fields;
  list(answer: unknown, name: string): readonly unknown[];
  text(answer: unknown, name: string): string;
  /** 64 hexadecimal digits: a block or transaction hash. */
  hash(answer: unknown, name: string): string;
  integer(answer: unknown, name: string): number;
  /** The smallest units in an amount of whole coins. */
  units(answer: unknown, name: string): bigint;
}

const hashPattern = /^[0-9a-f]{64}$/;

export function answerReader(network: string, method: string): AnswerReader {
  const fail = (name: string): never => {
    throw new SettlementFailed(`${network} answered ${method} without a valid ${name}`);
  };
  const text = (answer: unknown, name: string): string =>
    typeof answer === "string" ? answer : fail(name);
  return {
    text,
    fields: (answer) =>
      typeof answer === "object" && answer !== null ? (answer as Fields) : fail("object"),
    list: (answer, name) => (Array.isArray(answer) ? (answer as unknown[]) : fail(name)),
    hash: (answer, name) => {
      const value = text(answer, name);
      return hashPattern.test(value) ? value : fail(name);
    },
    integer: (answer, name) =>
      typeof answer === "number" && Number.isSafeInteger(answer) ? answer : fail(name),
    units: (answer, name) => unitsOf(answer) ?? fail(name),
  };
}
