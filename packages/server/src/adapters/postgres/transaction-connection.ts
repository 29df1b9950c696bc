import type { DatabaseConnection } from "kysely";
import type { PostgresConnection } from "./connection.ts";

/** Runs the statements of one transaction after another. */
export interface TransactionConnection extends DatabaseConnection {
  /** May leave with the first statement. */
  begin(): Promise<void>;
  /** Throws unless every statement has succeeded. Returns the command tag of the answer. */
  commit(): Promise<string>;
  /** No statement of the transaction is sent after it. */
  rollBack(): Promise<void>;
}

/** A connection that can run several statements in one exchange. */
export type BatchConnection = Pick<PostgresConnection, "executeBatch" | "streamQuery">;

export type PipelinedWrites = (connection: BatchConnection) => TransactionConnection;
