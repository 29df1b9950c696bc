import type { Kysely } from "kysely";
import type { Refusal, Result } from "./result.ts";
import type { Schema } from "./schema.ts";

/** Queries inside one transaction. Do not use it after the work has returned. */
export type Tx = Kysely<Schema>;

/** The database. Both engines have the same data model and behave the same. */
export interface Db {
  readonly engine: Engine;
  /**
   * Changes whenever another server may be answering. After a failover or restore that lost commits, a counter
   * can reach the same number with different content.
   */
  generation(): number;
  /** Reads committed rows, each statement on its own. */
  readonly read: Kysely<Schema>;
  /**
   * Runs the work in one transaction. An ok commits, and its rows are durable when the promise resolves. A refusal
   * or an error rolls everything back, and so does an ok after a statement whose error the work swallowed. Only a
   * refusal with `commits` commits, on the engine whose commits may wait for a standby. The work may run more than
   * once, after a conflict or a rollback of its batch, so it must have no effects outside its transaction. `violations`
   * maps the names of constraints to refusals. Writes of one `owner` (an account or operator id) queue behind each
   * other and do not delay other owners.
   */
  write<T>(
    work: (tx: Tx) => Promise<Result<T>>,
    violations?: Readonly<Record<string, Refusal>>,
    owner?: string,
  ): Promise<Result<T>>;
  /** Applies the missing steps, only once even if several processes try, and returns their names. */
  migrate(steps: readonly MigrationStep[], now: number): Promise<readonly string[]>;
  /** Returns the names of the missing steps without applying them. */
  pending(steps: readonly MigrationStep[]): Promise<readonly string[]>;
  /** False on a standby, which answers reads only. Throws `DatabaseUnavailable` when the database does not answer. */
  acceptsWrites(): Promise<boolean>;
  /** Waits for running writes. Later calls throw `DatabaseUnavailable`. */
  close(): Promise<void>;
}

/** A database opened for inspection only. */
export type InspectedDb = Pick<Db, "engine" | "read" | "pending" | "close">;

export type Engine = "sqlite" | "postgres";

export interface MigrationStep {
  readonly name: string;
  statements(dialect: SqlDialect): readonly string[];
}

/** Where the engines' table definitions differ. */
export interface SqlDialect {
  readonly engine: Engine;
  /** The type of cents, epoch milliseconds and counts. */
  readonly integer: string;
  /** The suffix of `create table`. */
  readonly strict: string;
}

/** The database cannot be reached or did not answer in time. Retrying may help. */
export class DatabaseUnavailable extends Error {
  override readonly name: string = "DatabaseUnavailable";
}

/** The database answers, but too many writes are waiting. Retrying later may help. */
export class Overloaded extends DatabaseUnavailable {
  override readonly name = "Overloaded";
}

/** A newer version has migrated the database: this version must not start on it. */
export class NewerDatabase extends Error {
  override readonly name = "NewerDatabase";
}

/**
 * A statement violated a constraint. Both engines report the same names: a CHECK by its own name, a unique
 * constraint as `<table>_<columns>_unique`, a primary key as `<table>_pkey`, a foreign key as `foreign_key`.
 */
export class ConstraintViolation extends Error {
  override readonly name = "ConstraintViolation";
  readonly constraint: string;

  constructor(constraint: string, options?: ErrorOptions) {
    super(`constraint ${constraint} violated`, options);
    this.constraint = constraint;
  }
}

/** What can go wrong with a database, as metrics count it. */
export type DatabaseTrouble =
  /** A read or write failed because the database did not answer. */
  | "unavailable"
  /** A write was refused because too many were waiting or it waited too long. */
  | "overloaded"
  /** A write conflicted with a concurrent one and was retried. */
  | "retried"
  /** An idle connection broke. */
  | "connection_lost"
  /** A write violated a constraint that it does not handle: a bug. */
  | "constraint";
export type OnTrouble = (trouble: DatabaseTrouble) => void;

export type Access = "read" | "write";
/** Called when a read or write has ended, with its error if it failed. */
export type OnOutcome = (access: Access, error: unknown) => void;
