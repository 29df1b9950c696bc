import type { Compilable, CompiledQuery, InsertObject, Kysely } from "kysely";
import type { Schema } from "./schema.ts";

/** Stands in for a value while a query is compiled; never reaches a driver. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

type Values = Readonly<Record<string, string | number | null>>;

/** A prepared insert of one row into a table: the row's columns are its values. */
export function preparedInsert<T extends keyof Schema, C extends keyof Schema[T] & string>(
  table: T,
  columns: readonly C[],
): (db: Kysely<Schema>, row: Pick<Schema[T], C>) => Promise<void> {
  const insert = prepared(columns, (db, values: Values) =>
    db.insertInto(table).values(values as unknown as InsertObject<Schema, T>),
  );
  return async (db, row) => {
    await insert(db, row as unknown as Values);
  };
}

/**
 * A query that is built and compiled once per engine instead of once per request. Building costs
 * more than running it, so the hottest paths use this; `build` sees placeholders, so it must not
 * branch on the values.
 */
export function prepared<V extends Values, Row>(
  names: readonly (keyof V & string)[],
  build: (db: Kysely<Schema>, values: V) => Compilable<Row>,
): (db: Kysely<Schema>, values: V) => Promise<Row[]> {
  const placeholders = Object.fromEntries(
    names.map((name) => [name, new Placeholder(name)]),
  ) as unknown as V;
  const compiledFor = new WeakMap<Kysely<Schema>, CompiledQuery<Row>>();

  return async (db, values) => {
    let compiled = compiledFor.get(db);
    if (compiled === undefined) {
      compiled = build(db, placeholders).compile();
      compiledFor.set(db, compiled);
    }
    const parameters = compiled.parameters.map((parameter) =>
      parameter instanceof Placeholder ? values[parameter.name] : parameter,
    );
    const { sql, query, queryId } = compiled;
    return (await db.executeQuery<Row>({ sql, query, queryId, parameters })).rows;
  };
}
