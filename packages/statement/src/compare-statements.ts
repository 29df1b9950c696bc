import type { Statement } from "./statement.ts";
import type { Problem } from "./verified.ts";

/** A statement, or only a head that was kept, which has no entries. */
export type History = Pick<Statement, "head" | "entries">;

/** `apart`: the two cannot be compared. */
export type Comparison =
  | { readonly kind: "same" }
  | ({ readonly kind: "apart" | "different" } & Problem);

/**
 * Compares two verified statements of one account, in any order: the head of the shorter chain must be part of the
 * longer one. Each hash includes the one before it, so one equal hash means that all entries up to it are equal.
 */
export function compareStatements(one: History, other: Statement): Comparison {
  if (one.head.account !== other.head.account) {
    return { kind: "apart", problem: "The statements belong to different accounts." };
  }
  const count = Math.min(one.head.count, other.head.count);
  const start = Math.max(startOf(one), startOf(other));
  if (count < start) {
    const problem = "There is a gap between the statements, so they cannot be compared.";
    return { kind: "apart", problem };
  }
  if (hashAt(one, count) === hashAt(other, count)) return { kind: "same" };
  const entry = one.entries.find((candidate, index) => {
    const position = startOf(one) + index + 1;
    return position > start && position <= count && candidate.hash !== hashAt(other, position);
  });
  return entry === undefined
    ? { kind: "different", problem: `The statements differ at or before entry number ${count}.` }
    : {
        kind: "different",
        problem: `The entry ${entry.id} is not in the other statement.`,
        entry,
      };
}

/** The number of entries before the first one. */
function startOf({ head, entries }: History): number {
  return head.count - entries.length;
}

/** The hash of the entry with this number, counted from 1. */
function hashAt({ head, entries }: History, count: number): string | null {
  if (count === head.count) return head.hash;
  const index = count - startOf({ head, entries });
  return (index === 0 ? entries[0]?.previousHash : entries[index - 1]?.hash) ?? null;
}
