import { sql, type RawBuilder } from "kysely";
import { refuseUnstorable } from "./storable.ts";

/** The columns of rows that travel as JSON, in order, with their types. */
export type JsonColumns<C extends string = string> = Readonly<Record<C, "text" | "integer">>;

export type JsonRow<C extends string> = Readonly<Record<C, string | number | null>>;

/**
 * A query of the rows in one JSON parameter, so that a statement's text is the same for any number of rows. `json_each`
 * of an object has the same name and columns on both engines.
 */
export function jsonRows<Row>(columns: JsonColumns, json: string): RawBuilder<Row> {
  const selected = Object.entries(columns).map(([name, type], index) => {
    const value = sql`each.value ->> ${sql.lit(index)}`;
    return sql`${type === "text" ? value : sql`cast(${value} as bigint)`} as ${sql.ref(name)}`;
  });
  return sql<Row>`(select ${sql.join(selected)} from json_each(${json}) as each)`;
}

/** The parameter for `jsonRows`. */
export function toJson<C extends string>(
  columns: JsonColumns<C>,
  rows: readonly JsonRow<C>[],
): string {
  const values = rows.map((row) => keysOf(columns).map((name) => row[name]));
  for (const value of values.flat()) refuseUnstorable(value);
  return JSON.stringify(Object.fromEntries(values.entries()));
}

export function keysOf<K extends string>(columns: Readonly<Record<K, unknown>>): readonly K[] {
  return Object.keys(columns) as K[];
}
