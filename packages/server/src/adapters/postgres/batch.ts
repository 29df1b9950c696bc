import pg from "pg";

export interface BatchStatement {
  readonly text: string;
  /** Prepares the statement under this name. */
  readonly name?: string | undefined;
  readonly values: readonly (string | number | null)[];
  /** Whether the connection has prepared it before. */
  readonly isPrepared: boolean;
}

/**
 * Statements whose rows are not read, with one Sync: PostgreSQL answers all of them at once. After one that fails it
 * skips the others. The driver has no such query, but accepts one that writes its own messages.
 */
export class Batch extends pg.Query {
  /** Set by the driver, which takes it for a query of its own. */
  declare readonly text: string;
  readonly statements: readonly BatchStatement[];
  /** The command tag of the last statement, such as `COMMIT`. */
  readonly command: Promise<string>;
  #command = "";

  constructor(statements: readonly BatchStatement[]) {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    super("", (error?: Error) => (error ? reject(error) : resolve(this.#command)));
    this.statements = statements;
    this.command = promise;
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

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#command = text;
  }

  /** A lock is a select whose row is not read. */
  handleDataRow(): void {}
}

function write(connection: pg.Connection, statement: BatchStatement): void {
  const { text, name = "", values, isPrepared } = statement;
  if (!isPrepared) {
    // A batch that failed may have prepared it. Closing an unknown name does nothing.
    if (name !== "") connection.close({ type: "S", name }, true);
    connection.parse({ text, name, types: [] }, true);
  }
  const written = values.map((value) => (value === null ? null : String(value)));
  connection.bind({ statement: name, values: written }, true);
  connection.execute({}, true);
}
