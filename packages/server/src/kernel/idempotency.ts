import { sql } from "kysely";
import type { Tx } from "#ports/db.ts";
import { preparedChange, preparedCommand } from "./sql/prepared.ts";
import { sendTogether } from "./sql/send-together.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "./result.ts";
import type { Erase } from "./closed-account.ts";
import { actorOf, type Call, type Keyed, type TxScope } from "./call.ts";
import { hashSecret } from "./access/secrets.ts";

/** The answer to a keyed request, the first time and on every repetition. */
export interface RecordedAnswer<Body> {
  readonly status: number;
  readonly body: Body;
  readonly replayed: boolean;
}

/** What an effect answers. */
export interface Effect<Body> {
  readonly status: number;
  readonly body: Body;
  /** The id of what it created or changed. */
  readonly reference: string;
}

/** A validated request, so that equal requests in different notations are the same. */
export type NormalizedRequest = Readonly<Record<string, string | number | boolean | null>>;

interface KeyedScope extends TxScope {
  readonly call: Keyed<Call>;
}

interface KeyName extends Record<string, string | number> {
  readonly ownerId: string;
  readonly operation: string;
  readonly key: string;
}

/** Changes a row if the key was unused. Waits for a concurrent transaction that holds the key. */
const claimKey = preparedChange(
  ["ownerId", "operation", "key", "requestHash", "now"],
  (db, values: KeyName & { readonly requestHash: string; readonly now: number }) =>
    db
      .insertInto("idempotency_keys")
      .values({
        owner_id: values.ownerId,
        operation: values.operation,
        key: values.key,
        request_hash: values.requestHash,
        status: 0,
        body: "",
        reference_id: null,
        created_at: values.now,
      })
      .onConflict((conflict) => conflict.doNothing()),
);

const recordAnswer = preparedCommand(
  ["ownerId", "operation", "key", "status", "body", "referenceId"],
  (
    db,
    values: KeyName & {
      readonly status: number;
      readonly body: string;
      readonly referenceId: string;
    },
  ) =>
    db
      .updateTable("idempotency_keys")
      .set({ status: values.status, body: values.body, reference_id: values.referenceId })
      .where("owner_id", "=", values.ownerId)
      .where("operation", "=", values.operation)
      .where("key", "=", values.key),
);

/**
 * Applies an effect once per key. The key's row, the effect and the answer are one transaction: a concurrent request
 * with the same key waits and then gets the answer or a conflict. A refused effect leaves nothing, so the same key
 * can be retried. The effect receives what `read` reads, which shares a round trip with the key and takes no lock.
 */
export async function once<Body extends object, Found = undefined>(
  { tx, core, call }: KeyedScope,
  request: NormalizedRequest,
  effect: (found: Found) => Promise<Result<Effect<Body>>>,
  read: () => Promise<Found> = async () => undefined as Found,
): Promise<Result<RecordedAnswer<Body>>> {
  const { operation, key } = call.intent;
  const ownerId = actorOf(call);
  const requestHash = hashSecret(canonical(request));
  const now = core.clock.now();
  const [claimed, found] = await sendTogether(
    claimKey(tx, { ownerId, operation, key, requestHash, now }),
    read(),
  );
  if (claimed === 0) return replay(tx, call, requestHash);

  const result = await effect(found);
  if (!result.ok) return result;
  const { status, body, reference } = result.value;
  const answer = { status, body: JSON.stringify(body), referenceId: reference };
  await recordAnswer(tx, { ownerId, operation, key, ...answer });
  return ok({ status, body, replayed: false });
}

/**
 * Locks the key's row and commits even a conflict. A commit that wrote something, such as a lock, waits for a
 * synchronous standby on PostgreSQL. A plain read could confirm a row that a failover still loses.
 */
async function replay<Body extends object>(
  tx: Tx,
  call: Keyed<Call>,
  requestHash: string,
): Promise<Result<RecordedAnswer<Body>>> {
  const { operation, key, idempotency } = call.intent;
  const recorded = await tx
    .selectFrom("idempotency_keys")
    .select(["request_hash", "status", "body"])
    .where("owner_id", "=", actorOf(call))
    .where("operation", "=", operation)
    .where("key", "=", key)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (idempotency !== "replay" || recorded.request_hash !== requestHash) {
    return refuse("idempotency_conflict", { commits: true });
  }
  return ok({ status: recorded.status, body: JSON.parse(recorded.body) as Body, replayed: true });
}

/** The order of the fields does not matter. */
function canonical(request: NormalizedRequest): string {
  return JSON.stringify(Object.entries(request).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Literal, so that the engines use the partial index of migration 0030. */
const writesToCustomers = sql<boolean>`operation in ('writeToCustomer', 'answerThread')`;

/**
 * Deletes the keys of an account that closes, and those with which operators wrote to it: the stored answers contain
 * personal data, and a repetition is refused.
 */
export const eraseKeys: Erase = async ({ tx }, accountId) => {
  await tx.deleteFrom("idempotency_keys").where("owner_id", "=", accountId).execute();
  for (const table of ["threads", "messages"] as const) {
    await tx
      .deleteFrom("idempotency_keys")
      .where(writesToCustomers)
      .where("reference_id", "in", (eb) =>
        eb.selectFrom(table).select("id").where("account_id", "=", accountId),
      )
      .execute();
  }
};
