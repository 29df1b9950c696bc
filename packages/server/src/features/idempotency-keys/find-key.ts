import { idPrefixes, limits, operations, type Operation } from "@ironlease/contract";
import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";

export interface KeyRecord {
  readonly operation: string;
  readonly createdAt: number;
  readonly reference: { readonly kind: string; readonly id: string } | null;
}

export interface ListedKey extends KeyRecord {
  readonly key: string;
}

/** The operations whose keys belong to accounts. */
const keyedOperations = Object.entries<Operation>(operations)
  .filter(([, { listener, idempotency }]) => listener === "account" && idempotency !== "none")
  .map(([name]) => name);

/** The account's requests that took effect with this key: at most one for each operation. */
export async function findKey(
  core: Pick<Core, "db">,
  accountId: string,
  key: string,
): Promise<readonly KeyRecord[]> {
  const rows = await core.db.read
    .selectFrom("idempotency_keys")
    .select(["operation", "created_at as createdAt", "reference_id as referenceId"])
    .where("owner_id", "=", accountId)
    .where("operation", "in", keyedOperations)
    .where("key", "=", key)
    .execute();
  // Few rows, which no index has in this order.
  const sorted = rows.toSorted((a, b) =>
    a.createdAt === b.createdAt ? compareText(a.operation, b.operation) : a.createdAt - b.createdAt,
  );
  return sorted.map(recordOf);
}

/** A page of the account's keys, by operation and key. `after` is the last record of the previous page. */
export async function listKeys(
  { db }: Core,
  accountId: string,
  after: { readonly operation: string; readonly key: string } = { operation: "", key: "" },
): Promise<readonly ListedKey[]> {
  const rows = await db.read
    .selectFrom("idempotency_keys")
    .select(["operation", "key", "created_at as createdAt", "reference_id as referenceId"])
    .where("owner_id", "=", accountId)
    .where(sql<boolean>`(operation, key) > (${after.operation}, ${after.key})`)
    .orderBy("operation")
    .orderBy("key")
    .limit(limits.listLength)
    .execute();
  return rows.map(({ key, ...row }) => ({ key, ...recordOf(row) }));
}

interface KeyRow {
  readonly operation: string;
  readonly createdAt: number;
  readonly referenceId: string | null;
}

function recordOf({ operation, createdAt, referenceId }: KeyRow): KeyRecord {
  const reference = referenceId === null ? null : { kind: kindOf(referenceId), id: referenceId };
  return { operation, createdAt, reference };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : 1;
}

/** `withdrawal` of `wdr_…`. */
function kindOf(id: string): string {
  const prefix = id.slice(0, id.indexOf("_"));
  const kind = Object.entries(idPrefixes).find(([, value]) => value === prefix)?.[0];
  if (kind === undefined) throw new Error(`no kind has the prefix ${prefix}`);
  return kind;
}
