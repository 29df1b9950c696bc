import { addr } from "micro-eth-signer";

/** The part of ERC-20 that deposits and payouts need. */

/** keccak256("Transfer(address,address,uint256)") */
export const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

const selectors = { transfer: "0xa9059cbb", balanceOf: "0x70a08231", decimals: "0x313ce567" };
const addressTopic = /^0x0{24}([0-9a-f]{40})$/;
const word = /^0x[0-9a-f]{64}$/;

export interface Log {
  readonly contract: string;
  readonly topics: readonly string[];
  readonly data: string;
  /** Its position in the block, which changes in a reorganization. */
  readonly indexInBlock: number;
  readonly transactionId: string;
}

export interface Transfer {
  readonly from: string;
  readonly to: string;
  readonly amountUnits: bigint;
}

/** Undefined for other events, and for those of tokens with ids in place of amounts. */
export function readTransfer({ topics, data }: Pick<Log, "topics" | "data">): Transfer | undefined {
  const [event, from = "", to = "", ...more] = topics;
  const [sender, recipient] = [addressTopic.exec(from)?.[1], addressTopic.exec(to)?.[1]];
  if (event !== transferTopic || sender === undefined || recipient === undefined) return undefined;
  if (more.length > 0 || !word.test(data)) return undefined;
  return {
    from: addr.addChecksum(sender),
    to: addr.addChecksum(recipient),
    amountUnits: BigInt(data),
  };
}

export function encodeTransfer(to: string, amountUnits: bigint): string {
  return `${selectors.transfer}${pad(to.slice(2).toLowerCase())}${pad(amountUnits.toString(16))}`;
}

export function encodeBalanceOf(owner: string): string {
  return `${selectors.balanceOf}${pad(owner.slice(2).toLowerCase())}`;
}

export const encodedDecimals = selectors.decimals;

function pad(hex: string): string {
  return hex.padStart(64, "0");
}
