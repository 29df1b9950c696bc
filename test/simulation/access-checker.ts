import { isDeepStrictEqual } from "node:util";
import type { Tx } from "#server/ports/db.ts";
import type { Result } from "#server/ports/result.ts";
import { expectedAccess, type StoredAccess } from "./model/access-state.ts";
import { applyAccess, judgeAccess } from "./model/model-access.ts";
import type { RequestContext } from "./model/model.ts";
import type { AccessRequest } from "./model/operations.ts";
import { account, type Model } from "./model/state.ts";
import { field } from "./outcomes.ts";
import { readAccess } from "./perform-access.ts";

/**
 * Compares how customers sign in with the model. Such a request runs several transactions and decides on what it has
 * read before, so only the one that changes something is compared, with everything that is stored then.
 */
export class AccessChecker {
  readonly #model: Model;
  readonly #accountIds: readonly string[];

  constructor(model: Model, accountIds: readonly string[]) {
    this.#model = model;
    this.#accountIds = accountIds;
  }

  /** Inside the transaction, before its commit. */
  read(tx: Tx, operation: AccessRequest): Promise<StoredAccess> {
    return readAccess(tx, this.#accountIds[operation.account] ?? "");
  }

  /** Undefined if the transaction has changed nothing. Otherwise the problem, or an empty text. */
  check(
    operation: AccessRequest,
    { sent, requestedAt }: RequestContext,
    result: Result<unknown>,
    stored: StoredAccess,
  ): string | undefined {
    const { access } = account(this.#model, operation);
    if (isDeepStrictEqual(stored, expectedAccess(access))) return undefined;
    const expected = judgeAccess(this.#model, operation, sent, requestedAt);
    if (expected !== "ok") return `it took effect, expected ${expected ?? "a refusal"}`;
    const texts = (name: string) => (field(result, name) ?? "") as string;
    const problem = applyAccess(this.#model, operation, sent, {
      stored,
      secret: texts("secret"),
      recoveryCode: texts("recoveryCode"),
      recoveryCodes: (field(result, "recoveryCodes") ?? []) as readonly string[],
    });
    if (problem !== undefined) return problem;
    const left = expectedAccess(access);
    if (isDeepStrictEqual(stored, left)) return "";
    return `stored ${JSON.stringify(stored)}, expected ${JSON.stringify(left)}`;
  }

  /** Checks the answer to a request that has changed nothing while nothing else changed. */
  checkRefusal(
    operation: AccessRequest,
    { sent, requestedAt }: RequestContext,
    outcome: string,
  ): string | undefined {
    const expected = judgeAccess(this.#model, operation, sent, requestedAt) ?? outcome;
    return expected === outcome ? undefined : `expected ${expected}, got ${outcome}`;
  }
}
