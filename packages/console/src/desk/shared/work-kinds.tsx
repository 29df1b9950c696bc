import type { WorkItem } from "@ironlease/client/operator";
import { Badge, type BadgeTone } from "#ui/badge.tsx";

export type WorkKind = WorkItem["kind"];
export type WorkState = WorkItem["state"];

interface KindLabels {
  readonly name: string;
  /** Button texts. */
  readonly complete: string;
  readonly fail: string;
  /** Explains what failing the item does. */
  readonly failing: string;
}

export const kinds: Readonly<Record<WorkKind, KindLabels>> = {
  PROVISION: {
    name: "Deliver server",
    complete: "Mark as delivered",
    fail: "Fail delivery",
    failing:
      "The server's share of the order is refunded and the server is terminated. Choose what happens to the machine.",
  },
  SERVER_ACTION: {
    name: "Server action",
    complete: "Mark as done",
    fail: "Fail request",
    failing: "The request is closed as not performed. Nothing is charged or refunded.",
  },
  WITHDRAWAL: {
    name: "Withdrawal",
    complete: "Approve",
    fail: "Reject",
    failing:
      "The held amount returns to the customer's balance, with your reason in their ledger. One operator is enough.",
  },
  DDOS: {
    name: "DDoS mode",
    complete: "Mark as applied",
    fail: "Decline",
    failing: "The request is closed. The current mode stays active.",
  },
  RECLAIM: {
    name: "Wipe machine",
    complete: "Mark as wiped",
    fail: "Fail wipe",
    failing:
      "The machine stays Dirty and cannot be rented until an operator sets it to Free or Retired.",
  },
};

export const kindOrder = Object.keys(kinds) as readonly WorkKind[];

const states: Readonly<Record<WorkState, { readonly word: string; readonly tone: BadgeTone }>> = {
  OPEN: { word: "Open", tone: "wait" },
  WAITING: { word: "Waiting for customer", tone: "plain" },
  CLAIMED: { word: "Claimed", tone: "warn" },
  DONE: { word: "Done", tone: "good" },
  FAILED: { word: "Failed", tone: "bad" },
};

export const stateOrder = Object.keys(states) as readonly WorkState[];

export function stateWord(state: WorkState): string {
  return states[state].word;
}

export function WorkStateBadge({ state }: { readonly state: WorkState }) {
  const { word, tone } = states[state];
  return <Badge tone={tone}>{word}</Badge>;
}
