import {
  createQueryId,
  OperationNodeTransformer,
  ValueNode,
  type Compilable,
  type CompiledQuery,
  type InsertObject,
  type Kysely,
  type RootOperationNode,
} from "kysely";
import { refuseUnstorable, type Tx } from "#ports/db.ts";
import type { Schema } from "#ports/schema.ts";

/** Stands in for a value while a query is compiled; never reaches a driver. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * What is the same in every run stands in the statement itself. SQLite plans a statement anew whenever a value
 * is bound that its plan may depend on, such as a limit or the condition of a partial index, and takes longer
 * for that than for most queries. Of a page of unknown length PostgreSQL thinks that sorting everything is cheaper.
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

/**
 * A prepared statement of a transaction whose result nobody reads, so that an engine that is far away
 * may send it along with the next one. What goes wrong with it fails the transaction all the same.
 */
export function preparedCommand<V extends Values>(
  names: readonly (keyof V & string)[],
  build: (tx: Tx, values: V) => Query,
): (tx: Tx, values: V) => Promise<void> {
  const compiled = compiling(names, build);
  return async (tx, values) => {
    const query = compiled(tx, values);
    if (tx.sendQuery === undefined) await tx.executeQuery(query);
    else await tx.sendQuery(query);
  };
}

/**
 * A query that is built and compiled once per engine instead of once per request. Building costs
 * more than running it, so the hottest paths use this; `build` sees placeholders, so it must not
 * branch on the values.
 */
export function prepared<V extends Values, Row>(
  names: readonly (keyof V & string)[],
  build: (db: Kysely<Schema>, values: V) => Query<Row>,
): (db: Kysely<Schema>, values: V) => Promise<Row[]> {
  const compiled = compiling(names, build);
  return async (db, values) => {
    const { rows } = await db.executeQuery<Row>(compiled(db, values));
    return rows;
  };
}

/** A query that may be known to find one row at most, which an engine may be glad to hear. */
export interface PreparedQuery<Row = unknown> extends CompiledQuery<Row> {
  readonly isSingleRow: boolean;
}

/** As `prepared`, for a look-up by something unique. */
export function preparedOne<V extends Values, Row>(
  names: readonly (keyof V & string)[],
  build: (db: Kysely<Schema>, values: V) => Query<Row>,
): (db: Kysely<Schema>, values: V) => Promise<Row | undefined> {
  const compiled = compiling(names, build, true);
  return async (db, values) => {
    const { rows } = await db.executeQuery<Row>(compiled(db, values));
    return rows[0];
  };
}

function compiling<V extends Values, Row>(
  names: readonly (keyof V & string)[],
  build: (db: Kysely<Schema>, values: V) => Query<Row>,
  isSingleRow = false,
): (db: Kysely<Schema>, values: V) => PreparedQuery<Row> {
  const placeholders = Object.fromEntries(
    names.map((name) => [name, new Placeholder(name)]),
  ) as unknown as V;
  const compiledFor = new WeakMap<Kysely<Schema>, CompiledQuery<Row>>();

  return (db, values) => {
    let compiled = compiledFor.get(db);
    if (compiled === undefined) {
      const node = constants.transformNode(build(db, placeholders).toOperationNode());
      compiled = db.getExecutor().compileQuery<Row>(node, createQueryId());
      compiledFor.set(db, compiled);
    }
    const { sql, query, queryId } = compiled;
    const parameters: unknown[] = [];
    for (const parameter of compiled.parameters) {
      parameters.push(parameter instanceof Placeholder ? values[parameter.name] : parameter);
    }
    return { sql, query, queryId, parameters, isSingleRow };
  };
}
