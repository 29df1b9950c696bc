import type { Tx } from "#server/ports/db.ts";
import type { Result } from "#server/ports/result.ts";
import type { Cast } from "./cast-members.ts";
import { apply, keyName, modelAfterPrologue, type Occasion } from "./model/model.ts";
import { record, uncredited, type RecordedPayment } from "./model/model-payments.ts";
import { hasRenewalsDue, nextToRenew, renew, renewalOf } from "./model/model-renewals.ts";
import type { Request } from "./model/operations.ts";
import type { ModelServer } from "./model/state.ts";
import { field, outcomeOf, serverIdsOf } from "./outcomes.ts";
import type { Ending } from "./perform.ts";
import type { Attempt, Living } from "./scheduler.ts";

/** One sending of a request, as it looks from outside. */
export interface Sending extends Attempt {
  readonly operation: Request;
  readonly occasion: Occasion;
  /** What the transaction that decides it came to. */
  decided: string | undefined;
  /** Of all senders and of this one, to know whether it was alone. */
  readonly commitsBefore: number;
  commits: number;
}

/** What took effect or was refused, in the order in which that happened. */
export interface Logged {
  readonly at: number;
  readonly operation: Request;
}

/** Outages that a refusal tells of. Whoever is told so tries again. */
const outages = ["settlement_failed", "settlement_unavailable", "rate_limited"];

/**
 * Holds everything that the service commits and says against the model. The model is told of a
 * transaction when it is committed, whether or not its answer arrives: so it knows which of the two
 * happened, and the next sending with the same key must agree.
 */
export class Judge {
  readonly model = modelAfterPrologue();
  /** In the order of the model's servers, account by account. */
  readonly serverIds: readonly string[][];
  readonly log: Logged[] = [];
  complaint: string | undefined;
  commits = 0;
  readonly #bodies = new Map<string, string>();

  constructor({ customers }: Cast) {
    this.serverIds = customers.map(({ serverIds }) => [...serverIds]);
  }

  /** The first is what is printed: whatever follows may follow from it. */
  complain(text: string): void {
    this.complaint ??= text;
  }

  sending(process: Living, operation: Request, occasion: Occasion, count: number): Sending {
    const sending: Sending = {
      ...{ process, operation, occasion, count },
      ...{ faults: 0, isInLine: false, decided: undefined },
      ...{ commitsBefore: this.commits, commits: 0 },
      beforeCommit: (tx, result) => seePayments(tx, operation, result),
      onEnd: (result, seen) => {
        if (result.ok) this.commits += 1;
        if (result.ok) sending.commits += 1;
        this.#onEnd(sending, result, seen);
      },
    };
    return sending;
  }

  /** What the sender does about how it ended. */
  heard(sending: Sending, ending: Ending | { readonly error: unknown }): "done" | "again" {
    const { operation, faults, decided } = sending;
    if ("error" in ending) {
      if (faults === 0) this.complain(`${show(operation)} threw ${String(ending.error)}`);
      return "again";
    }
    if ("failures" in ending) {
      if (ending.failures.length > 0 && faults === 0) {
        this.complain(`${show(operation)} met trouble of its own: ${String(ending.failures[0])}`);
      }
      if (ending.failures.length > 0) return "again";
      this.#judgePass(sending);
      return "done";
    }
    const outcome = outcomeOf(ending.result);
    if (decided === undefined) {
      if (faults > 0 && outages.includes(outcome)) return "again";
      this.complain(`${show(operation)} was answered ${outcome} without a transaction`);
    } else if (decided !== outcome) {
      this.complain(`${show(operation)} came to ${decided} and was answered ${outcome}`);
    }
    return "done";
  }

  /** Nothing that passes should have done is left over. */
  judgeEnd(now: number): void {
    const [left] = uncredited(this.model);
    if (left !== undefined) this.complain(`${left} was never credited`);
    if (hasRenewalsDue(this.model, now)) this.complain("a renewal was left over");
  }

  #onEnd(sending: Sending, result: Result<unknown>, seen: unknown): void {
    const { operation } = sending;
    if (Array.isArray(seen)) this.#judgePayments(seen as readonly RecordedPayment[]);
    if (operation.kind === "renew") this.#judgeSteps(sending, result);
    if (!decides(operation, result)) return;
    const outcome = outcomeOf(result);
    const expected = apply(this.model, operation, sending.occasion);
    this.log.push({ at: this.model.now, operation });
    sending.decided = outcome;
    if (outcome !== expected) {
      this.complain(`${show(operation)} came to ${outcome} and not to ${expected}`);
    }
    if (operation.kind === "order" && outcome === "ok") this.#learnServers(operation, result);
    if ("key" in operation) this.#judgeBody(keyName(operation), outcome, result);
  }

  #learnServers({ account }: { readonly account: number }, result: Result<unknown>): void {
    this.serverIds[account]?.push(...serverIdsOf(result));
  }

  /** A replay is the first answer, to the letter. */
  #judgeBody(name: string, outcome: string, result: Result<unknown>): void {
    const body = JSON.stringify(field(result, "body"));
    if (outcome === "ok") this.#bodies.set(name, body);
    if (outcome === "replay" && this.#bodies.get(name) !== body) {
      this.complain(`the replay of ${name} is ${body} and not ${this.#bodies.get(name)}`);
    }
  }

  #judgePayments(payments: readonly RecordedPayment[]): void {
    for (const payment of payments) {
      const wrong = record(this.model, payment);
      if (wrong !== undefined) this.complain(`${JSON.stringify(payment)}: ${wrong}`);
    }
    this.log.push({ at: this.model.now, operation: { kind: "settle" } });
  }

  #judgeSteps(sending: Sending, result: Result<unknown>): void {
    const steps = field(result, "steps") as readonly RenewalStep[];
    const { askedAt } = sending.occasion;
    for (const { kind, serverId } of steps) {
      const server = this.#server(serverId);
      const expected = renewalOf(server, askedAt);
      if (expected !== kind) this.complain(`${serverId}: ${kind} and not ${expected}`);
      // A server that could not be renewed is passed over, and the rest of the account goes on.
      if (sending.faults === 0 && nextToRenew(server.owner, askedAt) !== server) {
        this.complain(`${serverId} was taken before an earlier one of its account`);
      }
      renew(this.model, server, kind, askedAt);
    }
    if (steps.length > 0) this.log.push({ at: this.model.now, operation: sending.operation });
  }

  /** A pass that met no trouble and nobody else leaves nothing to do. */
  #judgePass({ operation, occasion, faults, commits, commitsBefore }: Sending): void {
    if (faults > 0 || this.commits - commitsBefore !== commits) return;
    if (operation.kind === "renew" && hasRenewalsDue(this.model, occasion.askedAt)) {
      this.complain("a pass left a renewal over");
    }
    const [left] = operation.kind === "settle" ? uncredited(this.model) : [];
    if (left !== undefined) this.complain(`a pass left ${left} uncredited`);
  }

  #server(serverId: string): ModelServer {
    for (const [account, ids] of this.serverIds.entries()) {
      const server = this.model.accounts[account]?.servers[ids.indexOf(serverId)];
      if (server !== undefined) return server;
    }
    throw new Error(`the model knows no server ${serverId}`);
  }
}

interface RenewalStep {
  readonly kind: "renew" | "enter_grace" | "terminate";
  readonly serverId: string;
}

export function show(operation: Request): string {
  return JSON.stringify(operation);
}

/** Whether this is the transaction of the request on which its answer hangs. */
function decides({ kind }: Request, result: Result<unknown>): boolean {
  switch (kind) {
    case "renew":
    case "settle":
    case "sweep":
      return false;
    case "pay":
      return field(result, "transactionId") !== undefined;
    case "address":
      return isKeyed(result) || (!result.ok && result.refusal.code === "idempotency_conflict");
    case "register":
      return !result.ok || field(result, "recoveryCode") !== undefined;
    case "order":
    case "withdraw":
    case "act":
    case "ddos":
    case "adjust":
      return !result.ok || isKeyed(result);
    default:
      return true;
  }
}

/** The key, the effect and the answer are one transaction: it is the one that gives the answer. */
function isKeyed(result: Result<unknown>): boolean {
  return field(result, "replayed") !== undefined;
}

/** How payments are recorded, now that this transaction has recorded or credited some. */
async function seePayments(
  tx: Tx,
  { kind }: Request,
  result: Result<unknown>,
): Promise<readonly RecordedPayment[] | undefined> {
  if (kind !== "pay" && kind !== "settle") return undefined;
  const isCredit = result.ok && result.value === true;
  if (!isCredit && field(result, "seen") === undefined) return undefined;
  const deposits = await tx
    .selectFrom("deposits")
    .select(["transaction_id as name", "confirmations", "state"])
    .execute();
  return deposits.map(({ name, confirmations, state }) => ({
    ...{ name, confirmations, isCredited: state === "CREDITED" },
  }));
}
