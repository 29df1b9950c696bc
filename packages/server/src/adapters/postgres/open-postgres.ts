import { sql } from "kysely";
import pg from "pg";
import {
  DatabaseUnavailable,
  outcomeOf,
  refusalFor,
  type Db,
  type OnOutcome,
  type OnTrouble,
} from "#ports/db.ts";
import type { Refusal, Result } from "#ports/result.ts";
import { WorkUnderWay } from "#adapters/work-under-way.ts";
import { isRetryable, PostgresConnection, translate, typesWith } from "./connection.ts";
import { WriteSlots } from "./write-slots.ts";
import { GatheredLookUps } from "#speed/batched-lookups.ts";
import { migrate, pendingNames } from "./migrate.ts";
import { SharedReads } from "#speed/pipelined-reads.ts";
import { inTransaction, kyselyOver } from "./transaction.ts";

const maxAttempts = 12;
const maxConnectMs = 5_000;
const defaultAnswerMs = 10_000;

export interface PostgresOptions {
  readonly url: string;
  /** How many connections there are for writes, and as many again for reads. */
  readonly poolSize: number;
  /** How long a statement or a commit may take before the database counts as unavailable. */
  readonly answerMs?: number;
  /** A pooled connection broke while idle; the pool replaces it, the log should know. */
  readonly onIdleError: (error: Error) => void;
  readonly onTrouble?: OnTrouble | undefined;
  readonly onOutcome?: OnOutcome | undefined;
}

/** Connects and checks the server's durability settings, or throws saying what is off. */
export async function openPostgres(options: PostgresOptions): Promise<Db> {
  const { answerMs = defaultAnswerMs, onTrouble = () => {} } = options;
  const onEnd = outcomeOf(onTrouble, options.onOutcome);
  const connection = {
    connectionString: options.url,
    connectionTimeoutMillis: Math.min(maxConnectMs, answerMs),
    keepAlive: true,
    application_name: "ironlease",
    types: typesWith(pg.types),
  };
  let connectionsOpened = 0;
  const newPool = () => {
    const pool = new pg.Pool({
      ...connection,
      max: options.poolSize,
      // A statement may be sent before the one before it is answered.
      pipeline: true,
      idleTimeoutMillis: 30_000,
      // A silent server answers nothing, and one that waits for its standby does not time a commit, so
      // the driver keeps the time. A server that can still answer does so a little earlier, which
      // spares the connection.
      query_timeout: answerMs,
      statement_timeout: Math.ceil(answerMs * 0.9),
    });
    pool.on("error", (error) => {
      onTrouble("connection_lost");
      options.onIdleError(error);
    });
    // The pool listens while a connection is idle. One that breaks in the middle of a write fails its
    // next statement; without a listener of its own it would end the process instead.
    pool.on("connect", (client) => {
      connectionsOpened += 1;
      client.on("error", () => {});
    });
    return pool;
  };
  // Apart, so that writes which wait for a lock or for a standby never keep a read or a probe waiting.
  const readPool = newPool();
  const writePool = newPool();
  const endPools = () => Promise.all([readPool.end(), writePool.end()]);
  try {
    await refuseUnsafeDurability(readPool);
  } catch (error) {
    await endPools();
    throw translate(error);
  }
  const sharedReads = new SharedReads(readPool, options.poolSize);
  const reads = new PostgresConnection(sharedReads, onEnd("read"));
  const read = kyselyOver(new GatheredLookUps(reads));
  const writes = new WriteSlots({ slots: options.poolSize, waitMs: answerMs });
  const underWay = new WorkUnderWay(onEnd("write"));
  let closing: Promise<unknown> | undefined;

  return {
    engine: "postgres",
    // No connection survives a failover or a restart, so whatever answers next is on a new one.
    generation: () => connectionsOpened,
    read,
    write: (work, violations, owner) => {
      const attempt = () => inTransaction(writePool, work);
      return underWay.run(() =>
        writes.run(owner, () => writeWithRetry(attempt, violations, onTrouble)),
      );
    },
    migrate: (steps, now) => underWay.run(() => migrate({ connection, answerMs }, steps, now)),
    pending: (steps) => pendingNames(sharedReads, steps),
    ping: async () => {
      await sql`select 1`.execute(read);
    },
    close: async () => {
      closing ??= underWay.end().then(endPools);
      await closing;
    },
  };
}

async function writeWithRetry<T>(
  attempt: () => Promise<Result<T>>,
  violations: Readonly<Record<string, Refusal>> | undefined,
  onTrouble: OnTrouble,
): Promise<Result<T>> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const refusal = refusalFor(error, violations);
      if (refusal !== undefined) return { ok: false, refusal };
      if (!isRetryable(error)) throw translate(error);
      if (tries === maxAttempts) {
        throw new DatabaseUnavailable("the write lost against others every time", { cause: error });
      }
      onTrouble("retried");
    }
    await new Promise((resolve) => setTimeout(resolve, 2 ** Math.min(tries, 7) * Math.random()));
  }
}

async function refuseUnsafeDurability(pool: pg.Pool): Promise<void> {
  // A distributed engine that speaks PostgreSQL may not know a setting; it answers null, not off.
  const { rows } = await pool.query<Record<string, string | null>>(
    `select current_setting('fsync', true) as fsync,
            current_setting('synchronous_commit', true) as synchronous_commit`,
  );
  for (const [setting, value] of Object.entries(rows[0] ?? {})) {
    if (value === "off") {
      throw new Error(
        `PostgreSQL runs with ${setting} = off, so an acknowledged order could be lost: switch it on`,
      );
    }
  }
}
