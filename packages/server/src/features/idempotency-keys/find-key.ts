import { idPrefixes, operations, type Operation } from "@ironlease/contract";
import type { Core } from "#kernel/core.ts";

export interface KeyRecord {
  readonly operation: string;
  readonly createdAt: number;
  readonly reference: { readonly kind: string; readonly id: string } | null;
}

/** The operations whose keys belong to accounts. */
const keyedOperations = Object.entries<Operation>(operations)
  .filter(([, { listener, idempotency }]) => listener === "account" && idempotency !== "none")
  .map(([name]) => name);

/** The account's requests that took effect with this key: at most one for each operation. */
export async function findKey(
  core: Core,
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
  return sorted.map(({ operation, createdAt, referenceId }) => ({
    operation,
    createdAt,
    reference: referenceId === null ? null : { kind: kindOf(referenceId), id: referenceId },
  }));
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
