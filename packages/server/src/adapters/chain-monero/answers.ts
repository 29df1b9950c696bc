import { SettlementFailed } from "#ports/settlement.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Reads an answer and names the call in the error when the answer is malformed. */
export interface AnswerReader {
  fields(answer: unknown, name: string): Fields;
  /** Empty when it is left out, as Monero's servers do. */
  list(answer: unknown, name: string): readonly unknown[];
  text(answer: unknown, name: string): string;
  /** 64 hexadecimal digits. */
  hash(answer: unknown, name: string): string;
  integer(answer: unknown, name: string): number;
  units(answer: unknown, name: string): bigint;
}

const hashPattern = /^[0-9a-f]{64}$/;

export function answerReader(server: string, method: string): AnswerReader {
  const fail = (name: string): never => {
    throw new SettlementFailed(`${server} answered ${method} without a valid ${name}`);
  };
  const isCount = (answer: unknown): answer is number =>
    typeof answer === "number" && Number.isSafeInteger(answer) && answer >= 0;
  return {
    fields: (answer, name) =>
      typeof answer === "object" && answer !== null ? (answer as Fields) : fail(name),
    list: (answer = [], name) => (Array.isArray(answer) ? (answer as unknown[]) : fail(name)),
    text: (answer, name) => (typeof answer === "string" ? answer : fail(name)),
    hash: (answer, name) =>
      typeof answer === "string" && hashPattern.test(answer) ? answer : fail(name),
    integer: (answer, name) => (isCount(answer) ? answer : fail(name)),
    units: (answer, name) =>
      typeof answer === "bigint" || isCount(answer) ? BigInt(answer) : fail(name),
  };
}
