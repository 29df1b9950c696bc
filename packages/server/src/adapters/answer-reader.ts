import { SettlementFailed } from "#ports/settlement.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** Reads a node's answer and names the call in the error when the answer is malformed. */
export interface AnswerReader {
  fields(answer: unknown): Fields;
  list(answer: unknown, name: string): readonly unknown[];
  text(answer: unknown, name: string): string;
  integer(answer: unknown, name: string): number;
  fail(name: string): never;
}

export function createAnswerReader(network: string, method: string): AnswerReader {
  const fail = (name: string): never => {
    throw new SettlementFailed(`${network} answered ${method} without a valid ${name}`);
  };
  return {
    fail,
    text: (answer, name) => (typeof answer === "string" ? answer : fail(name)),
    fields: (answer) =>
      typeof answer === "object" && answer !== null ? (answer as Fields) : fail("object"),
    list: (answer, name) => (Array.isArray(answer) ? (answer as unknown[]) : fail(name)),
    integer: (answer, name) =>
      typeof answer === "number" && Number.isSafeInteger(answer) ? answer : fail(name),
  };
}
