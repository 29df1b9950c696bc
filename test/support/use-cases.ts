import assert from "node:assert/strict";
import { operations, type FieldError, type OperationId } from "@ironlease/contract";
import type { Core } from "#server/kernel/core.ts";
import type { Intent } from "#server/kernel/call.ts";
import type { Result } from "#server/ports/result.ts";

let keys = 0;

/** A new idempotency key. */
export function freshKey(): string {
  keys += 1;
  return `test-key-${keys}`;
}

/** The intent as the HTTP layer passes it. */
export function intentOf(operation: OperationId, key = freshKey()): Intent {
  return { operation, key, idempotency: operations[operation].idempotency };
}

/** The code of the refusal, or "ok". */
export async function codeOf(pending: Promise<Result<unknown>>): Promise<string> {
  const result = await pending;
  return result.ok ? "ok" : result.refusal.code;
}

export async function fieldsOf(
  pending: Promise<Result<unknown>>,
): Promise<readonly FieldError[] | undefined> {
  const result = await pending;
  return result.ok ? undefined : result.refusal.fields;
}

/** The value of a use case. Asserts that it does not refuse. */
export async function valueOf<T>(pending: Promise<Result<T>>): Promise<T> {
  const result = await pending;
  if (!result.ok) assert.fail(`refused: ${JSON.stringify(result.refusal)}`);
  return result.value;
}

/** Everything that requests about servers store for an account, oldest first. */
export async function tracesOf({ db }: Core, accountId: string) {
  const actions = db.read.selectFrom("actions").selectAll().where("account_id", "=", accountId);
  const requests = db.read
    .selectFrom("ddos_requests")
    .selectAll()
    .where("account_id", "=", accountId);
  const work = db.read
    .selectFrom("work")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("kind", "in", ["SERVER_ACTION", "DDOS"]);
  const keysUsed = db.read
    .selectFrom("idempotency_keys")
    .select("key")
    .where("owner_id", "=", accountId);
  const audits = db.read
    .selectFrom("audit")
    .select(["action", "subject", "detail"])
    .where("actor", "=", accountId);
  return {
    actions: await actions.orderBy("id").execute(),
    requests: await requests.orderBy("id").execute(),
    work: await work.orderBy("id").execute(),
    keys: await keysUsed.execute(),
    audits: await audits.orderBy("id").execute(),
  };
}

/** The number of each, for cases where nothing or exactly one must be stored. */
export async function traceCountsOf(core: Core, accountId: string) {
  const { actions, requests, work, keys: used, audits } = await tracesOf(core, accountId);
  return {
    requests: actions.length + requests.length,
    work: work.length,
    keys: used.length,
    audits: audits.length,
  };
}
