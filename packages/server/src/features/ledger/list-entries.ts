import { idPrefixes, limits, maxCents } from "@ironlease/contract";
import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";
import { journalType, type LedgerType } from "#kernel/ledger-entry.ts";
import { sequencesOf, type Period } from "#kernel/ledger-period.ts";
import { selectEntries, type HashedEntry } from "./select-entries.ts";

export interface EntriesWanted extends Period {
  /** The last id of the previous page. */
  readonly after?: string | undefined;
  readonly types?: readonly LedgerType[] | undefined;
  /** The id of a deposit, an order, a server or a withdrawal. */
  readonly reference?: string | undefined;
}

/** Both ends exclusive. */
interface Range {
  readonly above: number;
  readonly below: number;
}

type SequencedEntry = HashedEntry & { readonly sequence: number };

/** A page of an account's entries, newest first. */
export async function listEntries(
  core: Core,
  accountId: string,
  { after, types, reference, ...period }: EntriesWanted = {},
): Promise<readonly HashedEntry[]> {
  const range = await rangeOf(core, accountId, { ...period, after });
  if (range === undefined) return [];
  if (reference !== undefined) {
    const ids = await referencesOf(core, accountId, reference);
    const keys = ids.map((value) => ({ column: "reference_id", value, types }) as const);
    return mergedPage(core, accountId, keys, range);
  }
  if (types !== undefined) {
    const values = new Set(types.map(journalType));
    const keys = Array.from(values, (value) => ({ column: "type", value }) as const);
    return mergedPage(core, accountId, keys, range);
  }
  return selectEntries(core, accountId)
    .where("sequence", ">", range.above)
    .where("sequence", "<", range.below)
    .orderBy("sequence", "desc")
    .limit(sql.lit(limits.listLength))
    .execute();
}

/** Undefined if `after` is not an entry of this account. */
async function rangeOf(
  core: Core,
  accountId: string,
  { after, ...period }: Period & Pick<EntriesWanted, "after">,
): Promise<Range | undefined> {
  const hasPeriod = period.from !== undefined || period.to !== undefined;
  const { before, last } = hasPeriod
    ? await sequencesOf(core.db, accountId, period)
    : { before: 0, last: maxCents };
  if (after === undefined) return { above: before, below: last + 1 };
  const previous = await selectEntries(core, accountId).where("id", "=", after).executeTakeFirst();
  return previous && { above: before, below: Math.min(previous.sequence, last + 1) };
}

/** A server's first term was charged with its order. */
async function referencesOf(
  { db }: Core,
  accountId: string,
  reference: string,
): Promise<readonly string[]> {
  if (!reference.startsWith(`${idPrefixes.server}_`)) return [reference];
  const server = await db.read
    .selectFrom("servers")
    .select("order_id")
    .where("id", "=", reference)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return server === undefined ? [] : [reference, server.order_id];
}

interface Key {
  readonly column: "type" | "reference_id";
  readonly value: string;
  readonly types?: readonly LedgerType[] | undefined;
}

/** Reads a page per key, because one statement for all keys would sort every entry that they find. */
async function mergedPage(
  core: Core,
  accountId: string,
  keys: readonly Key[],
  range: Range,
): Promise<readonly SequencedEntry[]> {
  const found = await Promise.all(keys.map((key) => keyedPage(core, accountId, key, range)));
  const newestFirst = found.flat().toSorted((a, b) => b.sequence - a.sequence);
  return newestFirst.slice(0, limits.listLength);
}

/**
 * Compares rows, so that only an index that begins with the key has the order. A planner may otherwise prefer the one
 * by sequence, and read a whole ledger to find a few entries.
 */
function keyedPage(
  core: Core,
  accountId: string,
  { column, value, types }: Key,
  { above, below }: Range,
): Promise<SequencedEntry[]> {
  const key = sql.ref(column);
  const page = selectEntries(core, accountId)
    .where(sql<boolean>`(${key}, sequence) > (${value}, ${above})`)
    .where(sql<boolean>`(${key}, sequence) < (${value}, ${below})`)
    .orderBy(column, "desc")
    .orderBy("sequence", "desc")
    .limit(sql.lit(limits.listLength));
  if (types === undefined) return page.execute();
  // An expression, because the index by type would find too many entries.
  const wanted = sql.join(types.map(journalType));
  return page.where(sql<boolean>`coalesce(type, '') in (${wanted})`).execute();
}
