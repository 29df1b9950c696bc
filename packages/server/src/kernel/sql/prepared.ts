import {
  createQueryId,
  OperationNodeTransformer,
  sql,
  ValueNode,
  type Compilable,
  type CompiledQuery,
  type InsertObject,
  type Kysely,
  type RootOperationNode,
} from "kysely";
import type { Tx } from "#ports/db.ts";
import { jsonRows, keysOf, toJson, type JsonColumns, type JsonRow } from "./json-rows.ts";
import { refuseUnstorable } from "./storable.ts";
import type { Schema } from "#ports/schema.ts";

/** Stands in for a value while a query is compiled; never reaches a driver. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Inlines constants as literals. SQLite replans a statement whenever a bound value could change its plan, such as
 * a limit or the condition of a partial index, and planning takes longer than most queries. PostgreSQL plans a
 * full sort when it does not know the length of a page.
 */
class Constants extends OperationNodeTransformer {
  protected override transformValue(node: ValueNode): ValueNode {
    if (node.value instanceof Placeholder) return node;
    refuseUnstorable(node.value);
    return ValueNode.createImmediate(node.value);
  }
}

const constants = new Constants();

interface Query<Row = unknown> extends Compilable<Row> {
  toOperationNode(): RootOperationNode;
}

type Values = Readonly<Record<string, string | number | null>>;
type Build<V extends Values, Row> = (db: Kysely<Schema>, values: V) => Query<Row>;

/** A compiled query with hints from its caller, which let a connection save work. */
export interface PreparedQuery<Row = unknown> extends CompiledQuery<Row> {
  /** How many rows the caller reads. `none`: it only needs to know before the commit that the statement succeeded. */
  readonly result: "none" | "one" | "many";
  /** Only on a `preparedLookup`. */
  readonly lookup: Lookup | undefined;
}

/** A lookup that may be cached until the next commit, and batched with others of the same query. */
export interface Lookup {
  /** The query with the column `each.value` instead of its parameter, to be joined to a list of values. */
  readonly sqlForEach: string;
}

/** A prepared insert of one row into a table: the row's columns are its values. */
export function preparedInsert<T extends keyof Schema, C extends keyof Schema[T] & string>(
  table: T,
  columns: readonly C[],
): (tx: Tx, row: Pick<Schema[T], C>) => Promise<void> {
  const insert = preparedCommand(columns, (tx, values: Values) =>
    tx.insertInto(table).values(values as unknown as InsertObject<Schema, T>),
  );
  return (tx, row) => insert(tx, row as unknown as Values);
}

/** Like `preparedInsert`, for any number of rows in one statement. */
export function preparedInserts<T extends keyof Schema, C extends keyof Schema[T] & string>(
  table: T,
  columns: JsonColumns<C>,
): (tx: Tx, rows: readonly Pick<Schema[T], C>[]) => Promise<void> {
  const insert = preparedCommand(["rows"], (tx, { rows }: { rows: string }) =>
    tx
      .insertInto(table)
      .columns(keysOf(columns))
      .expression(sql`select * from ${jsonRows(columns, rows)} as each`),
  );
  return async (tx, rows) => {
    if (rows.length > 0) await insert(tx, { rows: toJson(columns, rows as readonly JsonRow<C>[]) });
  };
}

/**
 * A prepared statement of a transaction whose result the caller does not read. A connection may pipeline it: then its
 * error fails the next statement or the commit.
 */
export function preparedCommand<V extends Values>(
  names: readonly (keyof V & string)[],
  build: Build<V, unknown>,
): (tx: Tx, values: V) => Promise<void> {
  const compiled = compiling(names, build, "none");
  return async (tx, values) => {
    await tx.executeQuery(compiled(tx, values));
  };
}

/**
 * A prepared write that returns how many rows it changed. A statement that returns the rows themselves costs SQLite a
 * temporary table.
 */
export function preparedChange<V extends Values>(
  names: readonly (keyof V & string)[],
  build: Build<V, unknown>,
): (tx: Tx, values: V) => Promise<number> {
  const compiled = compiling(names, build, "many");
  return async (tx, values) => {
    const { numAffectedRows } = await tx.executeQuery(compiled(tx, values));
    return Number(numAffectedRows);
  };
}

/**
 * A query that is built and compiled once per connection instead of once per request. The hottest paths use it,
 * because building costs more than running. `build` sees placeholders, so it must not branch on the values.
 */
export function prepared<V extends Values, Row>(
  names: readonly (keyof V & string)[],
  build: Build<V, Row>,
): (db: Kysely<Schema>, values: V) => Promise<Row[]> {
  const compiled = compiling(names, build, "many");
  return async (db, values) => {
    const { rows } = await db.executeQuery<Row>(compiled(db, values));
    return rows;
  };
}

/** Like `prepared`, for a query that finds at most one row. */
export function preparedOne<V extends Values, Row>(
  names: readonly (keyof V & string)[],
  build: Build<V, Row>,
): (db: Kysely<Schema>, values: V) => Promise<Row | undefined> {
  return firstRow(compiling(names, build, "one"));
}

/**
 * Like `preparedOne`, for a row that every request needs, such as its session. The query has one unique parameter (a
 * hash or an id), or none if only one row can match. Wrappers may cache or batch it, so callers share the row and
 * must not change it.
 */
export function preparedLookup<V extends Values, Row>(
  names: readonly [] | readonly [keyof V & string],
  build: Build<V, Row>,
): (db: Kysely<Schema>, values: V) => Promise<Row | undefined> {
  const [name] = names;
  const lookupFor = (db: Kysely<Schema>): Lookup => {
    const each = name === undefined ? {} : { [name]: sql.ref("each.value") };
    return { sqlForEach: compile(db, build(db, each as unknown as V)).sql };
  };
  return firstRow(compiling(names, build, "one", lookupFor));
}

function firstRow<V extends Values, Row>(
  compiled: (db: Kysely<Schema>, values: V) => PreparedQuery<Row>,
): (db: Kysely<Schema>, values: V) => Promise<Row | undefined> {
  return async (db, values) => {
    const { rows } = await db.executeQuery<Row>(compiled(db, values));
    return rows[0];
  };
}

function compiling<V extends Values, Row>(
  names: readonly (keyof V & string)[],
  build: Build<V, Row>,
  result: PreparedQuery["result"],
  lookupFor?: (db: Kysely<Schema>) => Lookup,
): (db: Kysely<Schema>, values: V) => PreparedQuery<Row> {
  const placeholders = Object.fromEntries(
    names.map((name) => [name, new Placeholder(name)]),
  ) as unknown as V;
  const templates = new WeakMap<Kysely<Schema>, PreparedQuery<Row>>();

  return (db, values) => {
    let template = templates.get(db);
    if (template === undefined) {
      const compiled = compile(db, build(db, placeholders));
      template = { ...compiled, result, lookup: lookupFor?.(db) };
      templates.set(db, template);
    }
    const { sql: text, query, queryId, lookup } = template;
    const parameters: unknown[] = [];
    for (const parameter of template.parameters) {
      parameters.push(parameter instanceof Placeholder ? values[parameter.name] : parameter);
    }
    return { sql: text, query, queryId, parameters, result, lookup };
  };
}

function compile<Row>(db: Kysely<Schema>, query: Query<Row>): CompiledQuery<Row> {
  const node = constants.transformNode(query.toOperationNode());
  return db.getExecutor().compileQuery<Row>(node, createQueryId());
}
