import { sql } from "kysely";
import type { TxScope } from "#kernel/call.ts";
import type { PtrState } from "#ports/schema.ts";

/** What a pass writes about the records of assigned addresses. */

export interface PtrVersion {
  readonly address: string;
  readonly revision: number;
}

/**
 * Notes a change before it is sent, and our record that the zone has until then. A pass that is killed before it records
 * the outcome leaves the note behind, so that the next pass recognises either record as ours. False if the setting has
 * changed since it was read.
 */
export async function noteAttempt(
  { tx }: TxScope,
  { address, revision }: PtrVersion,
  { found, wanted }: { readonly found: string; readonly wanted: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("published_ptrs")
    .set({ published: found, attempted: wanted })
    .where("address", "=", address)
    .where("revision", "=", revision)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Notes what the zone contains of ours now, whatever the setting is by then. */
export async function notePublished(
  { tx, core }: TxScope,
  address: string,
  ptr: string,
): Promise<void> {
  await tx
    .updateTable("published_ptrs")
    .set({ published: ptr, attempted: null, published_at: core.clock.now() })
    .where("address", "=", address)
    .execute();
}

export interface PtrOutcome {
  readonly state: PtrState;
  readonly error: string | null;
  readonly failures: number;
  readonly dueAt: number;
}

/** `answered` is undefined if no name server answered. False if the setting has changed since: it stays due then. */
export async function noteOutcome(
  { tx, core }: TxScope,
  { address, revision }: PtrVersion,
  { state, error, failures, dueAt }: PtrOutcome,
  answered: string | undefined,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("published_ptrs")
    .set({ state, error, failures, due_at: dueAt })
    .$if(state === "PUBLISHED", (update) => update.set({ traceparent: null }))
    .$if(answered !== undefined, (update) => update.set({ answered, seen_at: core.clock.now() }))
    .where("address", "=", address)
    .where("revision", "=", revision)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Retries later. The record stays as it is, because the failure is not its own. */
export async function postponePtr(
  { tx }: TxScope,
  { address, revision }: PtrVersion,
  { failures, dueAt }: Pick<PtrOutcome, "failures" | "dueAt">,
): Promise<void> {
  await tx
    .updateTable("published_ptrs")
    .set({ failures, due_at: dueAt })
    .where("address", "=", address)
    .where("revision", "=", revision)
    .execute();
}

/** The name servers gave the same answers as before. */
export async function noteSameAnswers(
  { tx, core }: TxScope,
  addresses: readonly string[],
): Promise<void> {
  await tx
    .updateTable("published_ptrs")
    .set({ seen_at: core.clock.now() })
    .where("address", "in", addresses)
    // The setting of a record that is due again may be another customer's.
    .where("state", "=", "PUBLISHED")
    .execute();
}

/** Makes all that is not published due now. */
export async function retryPtrs({ tx, core }: TxScope): Promise<void> {
  await tx
    .updateTable("published_ptrs")
    .set({ due_at: core.clock.now() })
    .where(sql<boolean>`state <> 'PUBLISHED'`)
    .execute();
}
