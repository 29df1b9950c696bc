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

/** Tells of an error that is the database's own; what else a piece of work throws is not. */
function reportTrouble(error: unknown, onTrouble: OnTrouble): void {
  if (error instanceof Overloaded) onTrouble("overloaded");
  else if (error instanceof DatabaseUnavailable) onTrouble("unavailable");
  if (error instanceof ConstraintViolation) onTrouble("constraint");
}

/** What an adapter calls when a read or a write has ended. */
export function outcomeOf(
  onTrouble: OnTrouble = () => {},
  onOutcome: OnOutcome = () => {},
): (access: Access) => (error?: unknown) => void {
  return (access) => (error) => {
    if (error !== undefined) reportTrouble(error, onTrouble);
    onOutcome(access, error);
  };
}

/** How `write` ends a piece of work that threw: an expected violation is a refusal, the rest a bug. */
export function refusalFor(
  error: unknown,
  violations: Readonly<Record<string, Refusal>> | undefined,
): Refusal | undefined {
  return error instanceof ConstraintViolation ? violations?.[error.constraint] : undefined;
}

/** A work that swallowed a statement's error and said ok: nothing of it is kept on either engine. */
export function didNotCommit(): Error {
  return new Error("the transaction did not commit: a statement failed and the work went on");
}

/** A number that JavaScript cannot hold exactly must never reach a money column. */
export function refuseInexactInteger(value: unknown): void {
  if (typeof value === "bigint" || (typeof value === "number" && !Number.isSafeInteger(value))) {
    throw new RangeError("only integers within 2^53 are stored");
  }
}

/**
 * What both engines take alike as a parameter. Of anything else one of them makes something of its
 * own: a forgotten value becomes null, a date text or nothing at all.
 */
export function refuseUnstorable(value: unknown): void {
  if (typeof value === "string" || value === null) return;
  refuseInexactInteger(value);
  if (typeof value !== "number") throw new TypeError("only text, integers and null are stored");
}
