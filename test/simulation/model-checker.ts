import type { Tx } from "#server/ports/db.ts";
import type { Result } from "#server/ports/result.ts";
import { AccessChecker } from "./access-checker.ts";
import type { Fixture } from "./fixture.ts";
import type { StoredAccess } from "./model/access-state.ts";
import { isAccessRequest, setAccess } from "./model/model-access.ts";
import { apply, hasKey, keyName, modelAfterSetup, type RequestContext } from "./model/model.ts";
import { observePayouts, PayoutChecker, type ObservedPayouts } from "./payout-checker.ts";
import { record, uncredited, type RecordedPayment } from "./model/model-payments.ts";
import { expire, hasExpiredQuote } from "./model/model-quotes.ts";
import { hasRenewalsDue, nextToRenew, renew, renewalOf } from "./model/model-renewals.ts";
import type { AccessRequest, OperationOf, Request } from "./model/operations.ts";
import { account, type ModelServer } from "./model/state.ts";
import { field, outcomeOf, serverIdsOf } from "./outcomes.ts";
import type { PerformResult } from "./perform.ts";
import type { Attempt, ProcessState } from "./scheduler.ts";

/** One attempt at a request, with what the client can observe of it. */
export interface RequestAttempt extends Attempt {
  readonly operation: Request;
  readonly requestContext: RequestContext;
  /** Outcome of the transaction that decides the answer. */
  decided: string | undefined;
  /** Commits of all clients before this attempt, and of this attempt: if only it committed, it ran alone. */
  readonly commitsBefore: number;
  commits: number;
}

/** An operation that took effect or was refused, in commit order. */
export interface LoggedOperation {
  readonly at: number;
  readonly operation: Request;
}

/** Refusals that report an outage. The client retries them. */
const outages = ["settlement_failed", "settlement_unavailable", "rate_limited"];

/**
 * Compares every commit and answer of the service with the model. The model applies a transaction when it
 * commits, whether or not its answer arrives, so a retry with the same key must agree with it.
 */
export class ModelChecker {
  readonly model = modelAfterSetup();
  /** Server ids by account, in the order of the model's servers. */
  readonly serverIds: readonly string[][];
  readonly log: LoggedOperation[] = [];
  violation: string | undefined;
  commits = 0;
  readonly #bodies = new Map<string, string>();
  readonly #payouts = new PayoutChecker();
  readonly #access: AccessChecker;

  constructor({ customers }: Fixture) {
    this.#access = new AccessChecker(
      this.model,
      customers.map(({ accountId }) => accountId),
    );
    for (const [index, customer] of customers.entries()) setAccess(this.model, index, customer);
    this.serverIds = customers.map(({ serverIds }) => [...serverIds]);
  }

  /** The chain that pays out, which survives crashes of the service. */
  get network() {
    return this.#payouts.network;
  }

  /** Payouts in the order of the model's payouts. */
  get payouts() {
    return this.#payouts.handedOut;
  }

  /** Keeps the first violation only, because later ones may follow from it. */
  reportViolation(text: string): void {
    this.violation ??= text;
  }

  startAttempt(
    process: ProcessState,
    operation: Request,
    requestContext: RequestContext,
    count: number,
  ): RequestAttempt {
    const requestAttempt: RequestAttempt = {
      process,
      operation,
      requestContext,
      count,
      faults: 0,
      isQueued: false,
      decided: undefined,
      commitsBefore: this.commits,
      commits: 0,
      beforeCommit: async (tx, result) =>
        isAccessRequest(operation)
          ? this.#access.read(tx, operation)
          : ((await observePayouts(tx, operation)) ?? readPayments(tx, operation, result)),
      onEnd: (result, observed) => {
        if (result.ok) this.commits += 1;
        if (result.ok) requestAttempt.commits += 1;
        this.#onEnd(requestAttempt, result, observed);
      },
    };
    return requestAttempt;
  }

  /** Checks the end of an attempt and decides whether the client retries. */
  checkEnd(
    requestAttempt: RequestAttempt,
    performResult: PerformResult | { readonly error: unknown },
  ): "done" | "retry" {
    const { operation, faults, decided } = requestAttempt;
    if ("error" in performResult) {
      if (faults === 0) {
        this.reportViolation(
          `${show(operation)} threw without a fault: ${String(performResult.error)}`,
        );
      }
      return "retry";
    }
    if ("failures" in performResult) {
      if (performResult.failures.length > 0 && faults === 0) {
        this.reportViolation(
          `${show(operation)} failed without a fault: ${String(performResult.failures[0])}`,
        );
      }
      if (performResult.failures.length > 0) return "retry";
      this.#checkPass(requestAttempt);
      return "done";
    }
    const outcome = outcomeOf(performResult.result);
    if (isAccessRequest(operation)) {
      return this.#checkAccessEnd(requestAttempt, operation, outcome);
    }
    if (decided === undefined) {
      if (faults > 0 && outages.includes(outcome)) return "retry";
      this.reportViolation(`${show(operation)} was answered ${outcome} without a transaction`);
    } else if (decided !== outcome) {
      this.reportViolation(`${show(operation)} was decided as ${decided} but answered ${outcome}`);
    }
    return "done";
  }

  /** Checks that the last passes left nothing to credit or renew. */
  checkFinalState(now: number): void {
    const [left] = uncredited(this.model);
    if (left !== undefined) this.reportViolation(`${left} was never credited`);
    if (hasRenewalsDue(this.model, now)) this.reportViolation("a due renewal was never processed");
    const problem = this.#payouts.checkEnd(this.model, now);
    if (problem !== undefined) this.reportViolation(problem);
  }

  #onEnd(requestAttempt: RequestAttempt, result: Result<unknown>, observed: unknown): void {
    const { operation } = requestAttempt;
    if (isAccessRequest(operation)) {
      this.#checkAccess(requestAttempt, operation, result, observed);
      return;
    }
    if (Array.isArray(observed)) this.#checkPayments(observed as readonly RecordedPayment[]);
    else if (observed !== undefined)
      this.#checkPayouts(requestAttempt, observed as ObservedPayouts);
    if (operation.kind === "renew") this.#checkSteps(requestAttempt, result);
    if (!decides(requestAttempt, result)) return;
    const outcome = outcomeOf(result);
    if (requestAttempt.faults > 0 && outages.includes(outcome)) return;
    if (this.#isStale(requestAttempt, outcome)) {
      requestAttempt.decided = outcome;
      return;
    }
    const expected = apply(this.model, operation, requestAttempt.requestContext);
    this.log.push({ at: this.model.now, operation });
    requestAttempt.decided = outcome;
    if (outcome !== expected) {
      this.reportViolation(`${show(operation)}: expected ${expected}, got ${outcome}`);
    }
    if (operation.kind === "order" && outcome === "ok") this.#addServers(operation, result);
    if (operation.kind === "prepare" && outcome === "ok") this.#payouts.add(result);
    if (operation.kind === "workStep") this.#recordPrice(requestAttempt, result);
    if (operation.kind === "saveAddress" && outcome === "ok") this.#addAddress(operation, result);
    if (hasKey(operation)) this.#checkBody(keyName(operation), outcome, result);
  }

  /**
   * A request that asks the chain, or reads claims, before its transaction may be refused for what others have changed
   * since, or for what the chain did not answer. It has no effect then.
   */
  #isStale(requestAttempt: RequestAttempt, outcome: string): boolean {
    const { operation, faults } = requestAttempt;
    if (outcome !== "conflict" && outcome !== "settlement_unavailable") return false;
    if (operation.kind === "payoutStep") return operation.verb === "broadcast" && faults > 0;
    const readsFirst =
      operation.kind === "prepare" ||
      (operation.kind === "workStep" &&
        operation.verb === "complete" &&
        operation.item.of === "withdrawal");
    return readsFirst && !this.#isAlone(requestAttempt);
  }

  /** Whether no other request has committed since the attempt began. */
  #isAlone({ commits, commitsBefore }: RequestAttempt): boolean {
    return this.commits - commitsBefore === commits;
  }

  /** Such a request may be refused for what others have changed since it read. */
  #checkAccess(
    requestAttempt: RequestAttempt,
    operation: AccessRequest,
    result: Result<unknown>,
    stored: unknown,
  ): void {
    if (!result.ok) return;
    const { requestContext } = requestAttempt;
    const problem = this.#access.check(operation, requestContext, result, stored as StoredAccess);
    if (problem === undefined) return;
    requestAttempt.decided = "ok";
    this.log.push({ at: this.model.now, operation });
    if (problem !== "") this.reportViolation(`${show(operation)}: ${problem}`);
  }

  #checkAccessEnd(
    requestAttempt: RequestAttempt,
    operation: AccessRequest,
    outcome: string,
  ): "done" | "retry" {
    const { decided, faults, requestContext } = requestAttempt;
    if ((decided === "ok") !== (outcome === "ok")) {
      this.reportViolation(`${show(operation)} was decided as ${decided} but answered ${outcome}`);
    }
    if (decided !== undefined) return "done";
    if (faults > 0) return outages.includes(outcome) ? "retry" : "done";
    const isUndisturbed =
      this.#isAlone(requestAttempt) && this.model.now === requestContext.requestedAt;
    if (!isUndisturbed) return "done";
    const problem = this.#access.checkRefusal(operation, requestContext, outcome);
    if (problem !== undefined) this.reportViolation(`${show(operation)}: ${problem}`);
    return "done";
  }

  #addAddress({ account: index, key }: OperationOf<"saveAddress">, result: Result<unknown>): void {
    const { addresses } = account(this.model, { account: index });
    addresses.set(key, { id: String(field(result, "id")), createdAt: this.model.now });
  }

  #checkPayouts({ operation, commits }: RequestAttempt, observed: ObservedPayouts): void {
    const problem = this.#payouts.checkStates(this.model, observed);
    if (problem !== undefined) this.reportViolation(problem);
    if (operation.kind === "follow" && commits === 1) {
      this.log.push({ at: this.model.now, operation });
    }
  }

  /** Without a rate, a claim leaves the amount open. */
  #recordPrice({ requestContext, faults }: RequestAttempt, result: Result<unknown>): void {
    const { work } = requestContext;
    const detail = field(result, "detail") as { readonly amount?: unknown } | undefined;
    if (work?.withdrawal === undefined || detail === undefined) return;
    work.withdrawal.isPriced = typeof detail.amount === "string";
    const isClaimed = work.work.state === "CLAIMED";
    if (isClaimed && !work.withdrawal.isPriced && faults === 0) {
      this.reportViolation("a claim fixed no amount");
    }
  }

  #addServers({ account }: { readonly account: number }, result: Result<unknown>): void {
    this.serverIds[account]?.push(...serverIdsOf(result));
  }

  /** A replay must equal the first answer byte for byte. */
  #checkBody(name: string, outcome: string, result: Result<unknown>): void {
    const body = JSON.stringify(field(result, "body"));
    if (outcome === "ok") this.#bodies.set(name, body);
    if (outcome === "replay" && this.#bodies.get(name) !== body) {
      this.reportViolation(`replay of ${name}: expected ${this.#bodies.get(name)}, got ${body}`);
    }
  }

  #checkPayments(payments: readonly RecordedPayment[]): void {
    for (const payment of payments) {
      const problem = record(this.model, payment);
      if (problem !== undefined) this.reportViolation(`${JSON.stringify(payment)}: ${problem}`);
    }
    this.log.push({ at: this.model.now, operation: { kind: "settle" } });
  }

  #checkSteps(requestAttempt: RequestAttempt, result: Result<unknown>): void {
    const { requestedAt } = requestAttempt.requestContext;
    if (field(result, "steps") === undefined) {
      this.#checkExpiry(requestAttempt, field(result, "expired"));
      return;
    }
    const steps = field(result, "steps") as readonly RenewalStep[];
    for (const { kind, serverId } of steps) {
      const server = this.#server(serverId);
      const expected = renewalOf(server, requestedAt);
      if (expected !== kind) this.reportViolation(`${serverId}: expected ${expected}, got ${kind}`);
      // After a fault the pass skips the server and continues with the rest of the account.
      if (requestAttempt.faults === 0 && nextToRenew(server.owner, requestedAt) !== server) {
        this.reportViolation(`${serverId} was processed before an earlier server of its account`);
      }
      renew(this.model, server, kind, requestedAt);
    }
    if (steps.length > 0)
      this.log.push({ at: this.model.now, operation: requestAttempt.operation });
  }

  /** The quote may have been accepted or changed since the pass has read it. */
  #checkExpiry({ operation, requestContext }: RequestAttempt, serverId: unknown): void {
    if (typeof serverId !== "string") return;
    const server = this.#server(serverId);
    if (!hasExpiredQuote(server, requestContext.requestedAt)) {
      this.reportViolation(`the quote for ${serverId} was withdrawn, but has not expired`);
    }
    expire(this.model, server);
    this.log.push({ at: this.model.now, operation });
  }

  /** A pass without faults and without concurrent commits must leave nothing to do. */
  #checkPass(requestAttempt: RequestAttempt): void {
    const { operation, requestContext, faults } = requestAttempt;
    if (faults > 0 || !this.#isAlone(requestAttempt)) return;
    if (operation.kind === "renew" && hasRenewalsDue(this.model, requestContext.requestedAt)) {
      this.reportViolation("a pass left a due renewal");
    }
    const [left] = operation.kind === "settle" ? uncredited(this.model) : [];
    if (left !== undefined) this.reportViolation(`a pass left ${left} uncredited`);
  }

  #server(serverId: string): ModelServer {
    for (const [account, ids] of this.serverIds.entries()) {
      const server = this.model.accounts[account]?.servers[ids.indexOf(serverId)];
      if (server !== undefined) return server;
    }
    throw new Error(`The model has no server ${serverId}.`);
  }
}

interface RenewalStep {
  readonly kind: "renew" | "enter_grace" | "terminate";
  readonly serverId: string;
}

export function show(operation: Request): string {
  return JSON.stringify(operation);
}

/** Refusals of a deposit address before the provider is asked. */
const decidingRefusals: ReadonlySet<string> = new Set([
  "idempotency_conflict",
  "authentication_required",
]);

/** Whether this transaction decides the answer to the request. */
function decides({ operation, decided }: RequestAttempt, result: Result<unknown>): boolean {
  switch (operation.kind) {
    case "renew":
    case "settle":
    case "follow":
    case "sweep":
      return false;
    case "pay":
      return field(result, "transactionId") !== undefined;
    case "address":
      return isKeyed(result) || (!result.ok && decidingRefusals.has(result.refusal.code));
    case "register":
      return !result.ok || field(result, "recoveryCode") !== undefined;
    case "order":
    case "withdraw":
    case "act":
    case "ddos":
    case "accept":
    case "adjust":
    case "prepare":
      return !result.ok || isKeyed(result);
    // A later transaction records what the node said about the bytes.
    case "payoutStep":
      return decided === undefined;
    default:
      return true;
  }
}

/** The transaction that stores the idempotency key also has the effect and the answer. */
function isKeyed(result: Result<unknown>): boolean {
  return field(result, "replayed") !== undefined;
}

/** Reads all deposits if the transaction has recorded or credited some. */
async function readPayments(
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
    name,
    confirmations,
    isCredited: state === "CREDITED",
  }));
}
