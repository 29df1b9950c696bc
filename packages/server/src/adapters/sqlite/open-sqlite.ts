import { chmodSync, existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { sql, type DatabaseConnection } from "kysely";
import type { Db, InspectedDb, OnOutcome, OnTrouble, SqlDialect } from "#ports/db.ts";
import { outcomeOf } from "#kernel/sql/outcomes.ts";
import { pendingSteps, type AppliedStep } from "#kernel/sql/pending-steps.ts";
import { InFlightWork } from "#adapters/in-flight-work.ts";
import { isBusy, SqliteConnection, translate } from "./connection.ts";
import { kyselyOver } from "./dialect.ts";
import { WriteQueue } from "./write-queue.ts";

const dialect: SqlDialect = { engine: "sqlite", integer: "integer", strict: " strict" };

/** While opening, another process may be switching the file to WAL or migrating it. */
const openBusyMs = 10_000;

export interface SqliteOptions {
  readonly onTrouble?: OnTrouble | undefined;
  readonly onOutcome?: OnOutcome | undefined;
  /** Wraps the connection for single reads. Without it, every read queries SQLite. */
  readonly rowCache?: RowCache | undefined;
}

export type RowCache = (reads: DatabaseConnection, signals: CommitSignals) => DatabaseConnection;

/** How a cache learns of commits. */
export interface CommitSignals {
  /** Changes whenever any process commits. */
  dataVersion(): number;
  /** Registers what to call after each commit of this process. */
  onCommit(listener: () => void): void;
}

/** Opens the file with every setting that durability needs, or throws an error that names the wrong one. */
export function openSqlite(path: string, options: SqliteOptions = {}): Db {
  const onEnd = outcomeOf(options.onTrouble, options.onOutcome);
  const isNew = !existsSync(path);
  const writer = new SqliteConnection(openDurably(path, isNew));
  const reader = new SqliteConnection(
    new DatabaseSync(path, { readOnly: true, timeout: openBusyMs }),
    onEnd("read"),
  );
  let committed = () => {};
  const signals: CommitSignals = {
    dataVersion: () => reader.dataVersion(),
    onCommit: (listener) => (committed = listener),
  };
  const tx = kyselyOver(writer);
  const read = kyselyOver(options.rowCache?.(reader, signals) ?? reader);
  const queue = new WriteQueue(writer, tx, () => committed());
  const inFlight = new InFlightWork(onEnd("write"));
  const close = async () => {
    await inFlight.drain();
    reader.database.close();
    writer.database.close();
  };
  let closing: Promise<void> | undefined;

  return {
    engine: "sqlite",
    // The file must not be replaced while a process has it open.
    generation: () => 0,
    read,
    write: (work, violations) => inFlight.run(() => queue.write(work, violations)),
    migrate: (steps, now) =>
      inFlight.run(async () => {
        await queue.idle();
        committed();
        return migrate(writer.database, steps, now);
      }),
    pending: async (steps) => {
      const applied = appliedSteps(reader.database);
      return pendingSteps(steps, dialect, applied).map((step) => step.name);
    },
    // A file that became read-only fails the write itself. SQLite has no standbys.
    acceptsWrites: async () => {
      await sql`select 1`.execute(read);
      return true;
    },
    close: () => (closing ??= close()),
  };
}

/** Opens an existing file without changing it or its folder. */
export function inspectSqlite(path: string): InspectedDb {
  const database = new DatabaseSync(inspectedUrl(path), { readOnly: true, timeout: openBusyMs });
  const read = kyselyOver(new SqliteConnection(database));
  return {
    engine: "sqlite",
    read,
    pending: async (steps) =>
      pendingSteps(steps, dialect, appliedSteps(database)).map((step) => step.name),
    close: async () => database.close(),
  };
}

/**
 * A reader would create missing files of the write-ahead log. They are missing only while no process has the
 * database open, and then the file can be opened as immutable.
 */
function inspectedUrl(path: string): URL {
  const url = pathToFileURL(path);
  if (!existsSync(`${path}-wal`)) url.searchParams.set("immutable", "1");
  return url;
}

function openDurably(path: string, isNew: boolean): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: openBusyMs });
  if (isNew) chmodSync(path, 0o600);
  switchToWal(database);
  database.exec("pragma synchronous = full");
  database.exec("pragma foreign_keys = on");
  database.exec("pragma trusted_schema = off");
  // Savepoints keep their undo data there. Otherwise the pages of every order would spill into a file.
  database.exec("pragma temp_store = memory");
  // Without it, `insert or replace` would bypass the triggers that forbid deletes from append-only tables.
  database.exec("pragma recursive_triggers = on");
  const setting = (name: string) =>
    Object.values(database.prepare(`pragma ${name}`).get() ?? {})[0];
  if (setting("journal_mode") !== "wal" || setting("synchronous") !== 2) {
    throw new Error(`${path} does not support WAL with full sync: move it to a local file system`);
  }
  // From here on the write queue waits for the lock, without blocking the event loop.
  database.exec("pragma busy_timeout = 0");
  return database;
}

/**
 * When several processes switch one file at once, all but one fail immediately with a lock error: each holds what
 * the other needs, so SQLite does not let them wait.
 */
function switchToWal(database: DatabaseSync): void {
  const giveUpAt = performance.now() + openBusyMs;
  for (;;) {
    try {
      database.exec("pragma journal_mode = wal");
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > giveUpAt) throw translate(error);
    }
    // Opening is synchronous, and nothing else runs in the process while it starts.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1 + 10 * Math.random());
  }
}

function migrate(
  database: DatabaseSync,
  steps: Parameters<Db["migrate"]>[0],
  now: number,
): readonly string[] {
  // Even a read may have to wait: the process that switched the file to WAL does not lock it until it first reads.
  database.exec(`pragma busy_timeout = ${openBusyMs}`);
  try {
    // Nothing to apply: do not take the write lock, so that a command does not delay a running service.
    if (pendingSteps(steps, dialect, appliedSteps(database)).length === 0) return [];
    database.exec("begin immediate");
    database.exec(
      `create table if not exists schema_migrations
         (name text primary key, digest text not null, applied_at integer not null) strict`,
    );
    const pending = pendingSteps(steps, dialect, appliedSteps(database));
    const record = database.prepare("insert into schema_migrations values (?, ?, ?)");
    for (const step of pending) {
      for (const statement of step.statements) database.exec(statement);
      record.run(step.name, step.digest, now);
    }
    database.exec("commit");
    return pending.map((step) => step.name);
  } catch (error) {
    if (database.isTransaction) database.exec("rollback");
    throw translate(error);
  } finally {
    database.exec("pragma busy_timeout = 0");
  }
}

function appliedSteps(database: DatabaseSync): readonly AppliedStep[] {
  try {
    const table = database
      .prepare("select 1 from sqlite_schema where name = 'schema_migrations'")
      .get();
    if (table === undefined) return [];
    const rows = database.prepare("select name, digest from schema_migrations").all();
    return rows as unknown as AppliedStep[];
  } catch (error) {
    throw translate(error);
  }
}
