import type { TxScope } from "./call.ts";
import { postMessage, serverTopic, threadOf, withdrawalsTopic, type Author } from "./threads.ts";

/** How something ended, or how far it came, that a customer had asked for. */
export interface Outcome {
  readonly accountId: string;
  /** Null for a withdrawal. */
  readonly serverId: string | null;
  /** Null when it ended without an operator. */
  readonly operatorId: string | null;
  /** What was asked and what became of it, in a sentence for the customer. */
  readonly report: string;
  /** The operator's note or reason. */
  readonly note: string | null;
}

/**
 * Tells the customer an outcome, in the transaction that ends the work, so that neither exists without the other. This
 * is the one place where the outcomes of an account become known.
 */
export async function tellOutcome(scope: TxScope, outcome: Outcome): Promise<void> {
  const { accountId, serverId, operatorId, report, note } = outcome;
  const topic =
    serverId === null ? withdrawalsTopic(accountId) : await serverTopic(scope.tx, serverId);
  if (topic === undefined) throw new Error(`the outcome concerns the unknown server ${serverId}`);
  const threadId = await threadOf(scope, topic, "OPERATOR");
  const text = note === null || note.trim() === "" ? report : `${report}\n\n${note}`;
  const author: Author =
    operatorId === null
      ? { sender: "SERVICE" }
      : { sender: "OPERATOR", operatorId, isAnswer: false };
  await postMessage(scope, { threadId, accountId, text }, author);
}
