import {
  Kysely,
  type Compilable,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from "kysely";
import type { Schema } from "#ports/schema.ts";

/**
 * Kysely over one connection. Only `db.write` begins transactions. A compiled query goes straight to the
 * connection, because Kysely's own execution path costs as much as a read.
 */
export class SingleConnectionKysely extends Kysely<Schema> {
  readonly #connection: DatabaseConnection;

  constructor(connection: DatabaseConnection, dialect: Omit<Dialect, "createDriver">) {
    super({
      dialect: {
        createAdapter: () => dialect.createAdapter(),
        createDriver: () => driverOver(connection),
        createIntrospector: (db) => dialect.createIntrospector(db),
        createQueryCompiler: () => dialect.createQueryCompiler(),
      },
    });
    this.#connection = connection;
  }

  override executeQuery<Row>(
    query: CompiledQuery<Row> | Compilable<Row>,
  ): Promise<QueryResult<Row>> {
    return this.#connection.executeQuery<Row>("compile" in query ? query.compile() : query);
  }
}

function driverOver(connection: DatabaseConnection): Driver {
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: refuseTransaction,
    commitTransaction: refuseTransaction,
    rollbackTransaction: refuseTransaction,
    destroy: async () => {},
  };
}

function refuseTransaction(): Promise<void> {
  throw new Error("use db.write for a transaction");
}
