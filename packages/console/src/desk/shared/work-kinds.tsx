import type { WorkItem } from "@ironlease/client/operator";
import { Badge, type BadgeTone } from "#ui/badge.tsx";

export type WorkKind = WorkItem["kind"];
export type WorkState = WorkItem["state"];

interface KindWords {
  /** What it is called in a list. */
  readonly name: string;
  /** What the button says that ends it well, and the one that gives it up. */
  readonly complete: string;
  readonly fail: string;
  /** What happens when it is given up, for whoever is about to. */
  readonly failing: string;
}

export const kinds: Readonly<Record<WorkKind, KindWords>> = {
  PROVISION: {
    name: "Deliver a server",
    complete: "Mark as delivered",
    fail: "Cannot be delivered",
    failing:
      "The service refunds this server's share of the order and ends the server. Choose what happens to the machine.",
  },
  SERVER_ACTION: {
    name: "Server action",
    complete: "Mark as done",
    fail: "Cannot be done",
    failing: "The request ends as not performed. Nothing is charged or paid back.",
  },
  WITHDRAWAL: {
    name: "Withdrawal",
    complete: "Approve",
    fail: "Reject",
    failing:
      "The held sum goes back to the customer's balance, with your reason in their ledger. One operator is enough for that.",
  },
  DDOS: {
    name: "DDoS mode",
    complete: "Mark as in force",
    fail: "Decline",
    failing: "The request is cleared and the mode in force stays.",
  },
  RECLAIM: {
    name: "Wipe a machine",
    complete: "Mark as wiped",
    fail: "Cannot be wiped",
    failing:
      "The machine stays DIRTY and cannot be sold until somebody sets it free or retires it.",
  },
};

export const kindOrder = Object.keys(kinds) as readonly WorkKind[];

const states: Readonly<Record<WorkState, { readonly word: string; readonly tone: BadgeTone }>> = {
  OPEN: { word: "Open", tone: "wait" },
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
