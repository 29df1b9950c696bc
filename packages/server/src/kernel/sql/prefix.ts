import { sql, type RawBuilder } from "kysely";
import type { Engine } from "#ports/db.ts";

/** Sorts after every other character. */
const last = "\u{10ffff}";

/**
 * Whether a text starts with a prefix, as a range of an index that compares bytes. PostgreSQL needs the collation in
 * the index and in the condition. A `like` would scan, because its pattern is not known when the statement is planned.
 */
export function startsWith(
  engine: Engine,
  text: RawBuilder<unknown>,
  prefix: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const bytes = inBytes(engine, text);
  return sql`(${bytes} >= ${prefix} and ${bytes} < ${prefix} || ${sql.lit(last)})`;
}

/** Orders a text as its index does. */
export function inBytes(engine: Engine, text: RawBuilder<unknown>): RawBuilder<unknown> {
  return engine === "postgres" ? sql`${text} collate "C"` : text;
}
