import { addr } from "micro-eth-signer";
import { createAnswerReader, type AnswerReader } from "../answer-reader.ts";

export interface EvmAnswerReader extends AnswerReader {
  /** 0x and 64 hexadecimal digits: a block or transaction hash. */
  hash(answer: unknown, name: string): string;
  /** Spelled as EIP-55 says, whatever the node's spelling. */
  address(answer: unknown, name: string): string;
  /** Bytes as 0x-hex in lower case. */
  bytes(answer: unknown, name: string): string;
  quantity(answer: unknown, name: string): bigint;
  /** A quantity that a number holds exactly. */
  number(answer: unknown, name: string): number;
}

const hashPattern = /^0x[0-9a-f]{64}$/;
const addressPattern = /^0x[0-9a-fA-F]{40}$/;
const bytesPattern = /^0x(?:[0-9a-f]{2})*$/;
const quantityPattern = /^0x[0-9a-fA-F]{1,64}$/;

export function answerReader(network: string, method: string): EvmAnswerReader {
  const reader = createAnswerReader(network, method);
  const matching = (pattern: RegExp, answer: unknown, name: string): string =>
    typeof answer === "string" && pattern.test(answer) ? answer : reader.fail(name);
  const quantity = (answer: unknown, name: string) =>
    BigInt(matching(quantityPattern, answer, name));
  return {
    ...reader,
    quantity,
    hash: (answer, name) => matching(hashPattern, answer, name),
    address: (answer, name) =>
      addr.addChecksum(matching(addressPattern, answer, name).toLowerCase()),
    bytes: (answer, name) => matching(bytesPattern, answer, name),
    number: (answer, name) => {
      const value = Number(quantity(answer, name));
      return Number.isSafeInteger(value) ? value : reader.fail(name);
    },
  };
}

/** A quantity as JSON-RPC spells it. */
export function hexOf(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}
