import type { Tx } from "#ports/db.ts";
import type { TxScope } from "#kernel/call.ts";
import { currentTrace } from "#kernel/concurrency/trace.ts";
import { reverseNameOf, type ReverseSubnet } from "./reverse-names.ts";

/** Has the next pass publish, or remove, the record of an address that is assigned from now on. */
export async function trackPtr(
  { tx, core }: TxScope,
  subnet: ReverseSubnet,
  address: string,
): Promise<void> {
  const now = core.clock.now();
  const { name, zone, mayCreate } = reverseNameOf(subnet, address);
  await tx
    .insertInto("reverse_zones")
    .values({ zone, may_create: mayCreate ? 1 : 0, state: "UNKNOWN", error: null, compared_at: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await tx
    .insertInto("published_ptrs")
    .values({
      address,
      name,
      zone,
      state: "PENDING",
      published: "",
      attempted: null,
      answered: "",
      seen_at: null,
      published_at: null,
      error: null,
      failures: 0,
      due_at: now,
      changed_at: now,
      revision: 0,
      traceparent: currentTrace() ?? null,
    })
    // The place was assigned before, and its record may not be removed yet. What it was is none of the next customer's.
    .onConflict((conflict) =>
      conflict.column("address").doUpdateSet((eb) => ({
        ...dueFrom(now),
        answered: "",
        seen_at: null,
        revision: eb("published_ptrs.revision", "+", 1),
      })),
    )
    .execute();
}

/** Has the next pass publish what the address is set to now. */
export async function markPtr(tx: Tx, address: string, now: number): Promise<void> {
  await tx
    .updateTable("published_ptrs")
    .set((eb) => ({ ...dueFrom(now), revision: eb("revision", "+", 1) }))
    .where("address", "=", address)
    .execute();
}

function dueFrom(now: number) {
  return {
    state: "PENDING" as const,
    error: null,
    failures: 0,
    due_at: now,
    changed_at: now,
    traceparent: currentTrace() ?? null,
  };
}
