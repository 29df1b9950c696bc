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
 * Kysely over one given connection. Transactions are `db.write`'s business, never Kysely's; and a
 * compiled query goes straight to the connection, past machinery that costs as much as a read.
 */
export class SingleConnectionKysely extends Kysely<Schema> {
  readonly #connection: DatabaseConnection;
  /** Only where the connection has it; see `Tx`. */
  readonly sendQuery?: (query: CompiledQuery) => Promise<void>;

  constructor(connection: SendingConnection, dialect: Omit<Dialect, "createDriver">) {
    super({
      dialect: {
        createAdapter: () => dialect.createAdapter(),
        createDriver: () => driverOver(connection),
        createIntrospector: (db) => dialect.createIntrospector(db),
        createQueryCompiler: () => dialect.createQueryCompiler(),
      },
    });
    this.#connection = connection;
    if (connection.sendQuery !== undefined) {
      this.sendQuery = (query) => connection.sendQuery?.(query) ?? Promise.resolve();
    }
  }

  override executeQuery<Row>(
    query: CompiledQuery<Row> | Compilable<Row>,
  ): Promise<QueryResult<Row>> {
    return this.#connection.executeQuery<Row>("compile" in query ? query.compile() : query);
  }
}

interface SendingConnection extends DatabaseConnection {
  sendQuery?(query: CompiledQuery): Promise<void>;
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
  throw new Error("transactions are made by db.write");
}
