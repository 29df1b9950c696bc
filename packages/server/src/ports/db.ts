import type { Kysely } from "kysely";
import type { Refusal, Result } from "./result.ts";
import type { Schema } from "./schema.ts";

/** Queries inside one transaction. Do not keep it once the work has returned. */
export type Tx = Kysely<Schema>;

/** The database: one data model, two engines that behave as one. */
export interface Db {
  readonly engine: Engine;
  /**
   * Another number whenever another server may be answering: one that a failover or a restore took commits from,
   * and in which a count can come to the same number with other content.
   */
  generation(): number;
  /** Single reads of committed rows, each a statement of its own. */
  readonly read: Kysely<Schema>;
  /**
   * Runs the work in one transaction that commits only an ok (and a refusal that `commits`, on an engine whose
   * commits may wait for a standby): a refusal or a throw undoes everything, and so does an ok after a statement whose error the work swallowed. When it resolves
   * with an ok, the rows are durable. The work may run more than once (it is retried when it lost against
   * another one, or was undone along with it), so it must touch nothing but its transaction.
   * `violations` names constraints whose violation is an expected refusal and not a bug. Writes of one
   * `owner` (an account or operator id) queue behind each other and never hold up another owner's.
   */
  write<T>(
    work: (tx: Tx) => Promise<Result<T>>,
    violations?: Readonly<Record<string, Refusal>>,
    owner?: string,
  ): Promise<Result<T>>;
  /** Applies the steps that are missing, once, however many processes try; says which. */
  migrate(steps: readonly MigrationStep[], now: number): Promise<readonly string[]>;
  /** The names of the steps that are missing, without applying them. */
  pending(steps: readonly MigrationStep[]): Promise<readonly string[]>;
  /** Throws `DatabaseUnavailable` when the database does not answer. */
  ping(): Promise<void>;
  /** Waits for the writes under way; later calls find the database unavailable. */
  close(): Promise<void>;
}

/** A database that is only looked at. */
export type InspectedDb = Pick<Db, "engine" | "read" | "pending" | "close">;

export type Engine = "sqlite" | "postgres";

export interface MigrationStep {
  readonly name: string;
  statements(dialect: SqlDialect): readonly string[];
}

/** The few words in which the engines' table definitions differ. */
export interface SqlDialect {
  readonly engine: Engine;
  /** The type of cents, epoch milliseconds and counts. */
  readonly integer: string;
  /** What ends a `create table`. */
  readonly strict: string;
}

/** The database cannot be reached or did not answer in time. It may be back in a moment. */
export class DatabaseUnavailable extends Error {
  override readonly name: string = "DatabaseUnavailable";
}

/** The database answers, but too many writes wait for it. Sending the request again later may work. */
export class Overloaded extends DatabaseUnavailable {
  override readonly name = "Overloaded";
}

/** A newer version has migrated the database: this version must not start on it. */
export class NewerDatabase extends Error {
  override readonly name = "NewerDatabase";
}

/**
 * A statement broke a constraint. Named the same on both engines: a CHECK by its own name, a unique
 * constraint as `<table>_<columns>_unique`, a primary key as `<table>_pkey`, a foreign key as
 * `foreign_key`.
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
  /** A write lost against a concurrent one and was retried. */
  | "retried"
  /** An idle connection broke. */
  | "connection_lost"
  /** A write broke a constraint that it did not expect to break: a bug. */
  | "constraint";
export type OnTrouble = (trouble: DatabaseTrouble) => void;

export type Access = "read" | "write";
/** Every read and every write ended, with what it threw or with nothing. */
export type OnOutcome = (access: Access, error: unknown) => void;
