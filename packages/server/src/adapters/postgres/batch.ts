import pg, { type QueryResult } from "pg";

export interface BatchStatement {
  readonly text: string;
  /** Prepares the statement under this name. */
  readonly name?: string | undefined;
  readonly values: readonly (string | number | null)[];
  /** Whether the connection has prepared it before. */
  readonly isPrepared: boolean;
  /** Whether the caller reads its rows. */
  readonly isRead: boolean;
}

/** The driver's class collects the result of each statement, which its types do not say. */
const DriverQuery = pg.Query as unknown as new (
  text: string,
  callback: (error: Error | undefined, results: QueryResult | QueryResult[]) => void,
) => pg.Query & {
  handleCommandComplete(message: unknown, connection: pg.Connection): void;
  handleDataRow(message: unknown): void;
};

/**
 * Statements with one Sync: PostgreSQL answers all of them at once. After one that fails it skips the others. The driver
 * has no such query, but accepts one that writes its own messages.
 */
export class Batch extends DriverQuery {
  /** Set by the driver, which takes it for a query of its own. */
  declare readonly text: string;
  readonly statements: readonly BatchStatement[];
  readonly results: Promise<readonly QueryResult[]>;
  #completed = 0;

  constructor(statements: readonly BatchStatement[]) {
    const { promise, resolve, reject } = Promise.withResolvers<readonly QueryResult[]>();
    super("", (error, results) => (error ? reject(error) : resolve([results].flat())));
    this.statements = statements;
    this.results = promise;
  }

  override readonly submit = (connection: pg.Connection): void => {
    // One packet for all messages.
    connection.stream.cork();
    try {
      for (const statement of this.statements) write(connection, statement);
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
  };

  override handleCommandComplete(message: unknown, connection: pg.Connection): void {
    super.handleCommandComplete(message, connection);
    this.#completed += 1;
  }

  /** A lock is a select whose row is not read. */
  override handleDataRow(message: unknown): void {
    if (this.statements[this.#completed]?.isRead === true) super.handleDataRow(message);
  }
}

function write(connection: pg.Connection, statement: BatchStatement): void {
  const { text, name = "", values, isPrepared, isRead } = statement;
  if (!isPrepared) {
    // A batch that failed may have prepared it. Closing an unknown name does nothing.
    if (name !== "") connection.close({ type: "S", name }, true);
    connection.parse({ text, name, types: [] }, true);
  }
  const written = values.map((value) => (value === null ? null : String(value)));
  connection.bind({ statement: name, values: written }, true);
  if (isRead) connection.describe({ type: "P" }, true);
  connection.execute({}, true);
}
