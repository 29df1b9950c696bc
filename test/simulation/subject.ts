import type { Sent } from "./model/access-state.ts";

/** A payout as the service handed it out. */
export interface HandedOut {
  readonly id: string;
  readonly unsigned: string;
  readonly transactionId: string;
}

export const noPayout: HandedOut = { id: "pay_none", unsigned: "", transactionId: "" };

/** The ids that a request refers to, looked up once for all attempts. */
export interface Subject {
  readonly serverId: string;
  readonly workId: string;
  /** Of the withdrawal that the work item is about. */
  readonly destination: string;
  /** The work items of the withdrawals that a payout pays. */
  readonly workIds: readonly string[];
  readonly payout: HandedOut;
}

/** With what the client sends at each attempt. */
export interface Attempted extends Subject {
  readonly sent: Sent;
}

export const noSubject: Subject = {
  serverId: "srv_none",
  workId: "wrk_none",
  destination: "",
  workIds: [],
  payout: noPayout,
};
