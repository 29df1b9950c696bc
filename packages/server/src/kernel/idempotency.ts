import type { Idempotency } from "@ironlease/contract";
import type { Tx } from "../ports/db.ts";
import { ok, refuse, type Result } from "../ports/result.ts";
import type { Core } from "./core.ts";
import { hashSecret } from "./secrets.ts";

/** One intent of one account: the key that its sender made, and what the table says of replays. */
export interface Intent {
  readonly operation: string;
  readonly key: string;
  readonly idempotency: Idempotency;
}

/** The answer to an intent, the first time and every time it is asked again. */
export interface RecordedAnswer<Body> {
  readonly status: number;
  readonly body: Body;
  readonly replayed: boolean;
}

/** A request after validation, so that equal requests in different spellings are the same. */
export type NormalizedRequest = Readonly<Record<string, string | number | boolean | null>>;

/**
 * Does a thing once for a key. The key's row, the effect and the answer are one transaction: whoever
 * comes with the same key at the same time waits for it, and gets its answer or a conflict. When the
 * effect is refused nothing is left, so the same key works once the cause is mended.
 */
export async function once<Body extends object>(
  tx: Tx,
  core: Core,
  accountId: string,
  intent: Intent,
  request: NormalizedRequest,
  effect: () => Promise<Result<{ readonly status: number; readonly body: Body }>>,
): Promise<Result<RecordedAnswer<Body>>> {
  const { operation, key } = intent;
  const requestHash = hashSecret(canonical(request));
  const claimed = await tx
    .insertInto("idempotency_keys")
    .values({
      account_id: accountId,
      operation,
      key,
      request_hash: requestHash,
      status: 0,
      body: "",
      created_at: core.clock.now(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (claimed.numInsertedOrUpdatedRows !== 1n) {
    return replay(tx, accountId, intent, requestHash);
  }

  const result = await effect();
  if (!result.ok) return result;
  const { status, body } = result.value;
  await tx
    .updateTable("idempotency_keys")
    .set({ status, body: JSON.stringify(body) })
    .where("account_id", "=", accountId)
    .where("operation", "=", operation)
    .where("key", "=", key)
    .execute();
  return ok({ status, body, replayed: false });
}

async function replay<Body extends object>(
  tx: Tx,
  accountId: string,
  { operation, key, idempotency }: Intent,
  requestHash: string,
): Promise<Result<RecordedAnswer<Body>>> {
  if (idempotency !== "replay") return refuse("idempotency_conflict");
  const recorded = await tx
    .selectFrom("idempotency_keys")
    .select(["request_hash", "status", "body"])
    .where("account_id", "=", accountId)
    .where("operation", "=", operation)
    .where("key", "=", key)
    .executeTakeFirstOrThrow();
  if (recorded.request_hash !== requestHash) return refuse("idempotency_conflict");
  return ok({ status: recorded.status, body: JSON.parse(recorded.body) as Body, replayed: true });
}

/** The order in which fields were sent makes no difference. */
function canonical(request: NormalizedRequest): string {
  return JSON.stringify(Object.entries(request).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
