import { sql, type DatabaseConnection } from "kysely";
import pg from "pg";
import { DatabaseUnavailable, type Db, type OnOutcome, type OnTrouble } from "#ports/db.ts";
import { outcomeOf, refusalFor } from "#kernel/sql/outcomes.ts";
import type { Refusal, Result } from "#ports/result.ts";
import { InFlightWork } from "#adapters/in-flight-work.ts";
import {
  isRetryable,
  PostgresConnection,
  translate,
  typesWith,
  type Queryable,
} from "./connection.ts";
import { migrate, pendingNames } from "./migrate.ts";
import { clientOf, followPrimary, Primary, readOnlyQuery, refuseStandby } from "./primary.ts";
import { ReadPool } from "./read-pool.ts";
import { learnSession } from "./session.ts";
import { kyselyOver, Transactions } from "./transaction.ts";
import type { PipelinedWrites } from "./transaction-connection.ts";
import { WriteSlots } from "./write-slots.ts";

const maxAttempts = 12;
const maxConnectMs = 5_000;
const defaultAnswerMs = 10_000;

/** Optional wrappers. Without them, every statement has a connection to itself until it is answered. */
export interface PostgresWrappers {
  readonly pipelinedReads?: ((pool: ReadPool) => Queryable) | undefined;
  readonly batchedLookups?: ((reads: DatabaseConnection) => DatabaseConnection) | undefined;
  readonly pipelinedWrites?: PipelinedWrites | undefined;
}

export interface PostgresOptions extends PostgresWrappers {
  readonly url: string;
  /** The maximum number of connections for writes, and again for reads. */
  readonly poolSize: number;
  /** How long a statement or a commit may take before the database counts as unavailable. */
  readonly answerMs?: number;
  /** A pooled connection broke while idle. The pool replaces it. */
  readonly onIdleError: (error: Error) => void;
  readonly onTrouble?: OnTrouble | undefined;
  readonly onOutcome?: OnOutcome | undefined;
}

/** Connects and checks the server's durability settings, or throws an error that names the wrong one. */
export async function openPostgres(options: PostgresOptions): Promise<Db> {
  const { answerMs = defaultAnswerMs, onTrouble = () => {} } = options;
  const onEnd = outcomeOf(onTrouble, options.onOutcome);
  const connection = {
    connectionTimeoutMillis: Math.min(maxConnectMs, answerMs),
    keepAlive: true,
    application_name: "ironlease",
    types: typesWith(pg.types),
  };
  const primary = new Primary(options.url, { ...connection, query_timeout: answerMs });
  // The driver measures the time: a server that hangs answers nothing, and one that waits for its standby does
  // not time out a commit.
  const timed = { ...connection, query_timeout: answerMs };
  const session = await learnSession(primary, timed, answerMs).catch((error: unknown) => {
    throw translate(error);
  });
  let connectionsOpened = 0;
  const newPool = () => {
    const pool = new pg.Pool({
      ...timed,
      ...session.startup,
      Client: clientOf(primary),
      // The pool awaits it before it hands out a new connection, which its types do not say.
      // oxlint-disable-next-line typescript/no-misused-promises
      ...(primary.hasChoice && { onConnect: refuseStandby }),
      max: options.poolSize,
      // Allows a statement to be sent before the previous one is answered.
      pipeline: true,
      idleTimeoutMillis: 30_000,
    });
    pool.on("error", (error) => {
      onTrouble("connection_lost");
      options.onIdleError(error);
    });
    // The pool only listens to idle connections. When one breaks during a write, the next statement fails; without
    // this listener the process would exit instead.
    pool.on("connect", (client) => {
      connectionsOpened += 1;
      client.on("error", () => {});
    });
    return pool;
  };
  // Two pools, so that writes waiting for a lock or a standby never block a read or a probe.
  const forReads = newPool();
  const forWrites = newPool();
  const endPools = () => Promise.all([forReads.end(), forWrites.end()]);
  const readPool = new ReadPool(followPrimary(forReads, primary), options.poolSize);
  // A pooler may move a connection to another server between two reads.
  const pipelinedReads = session.isPooled ? undefined : options.pipelinedReads;
  const readers = pipelinedReads?.(readPool) ?? readPool;
  const prepares = !session.isPooled;
  const reads = new PostgresConnection(readers, { prepares, onEnd: onEnd("read") });
  const read = kyselyOver(options.batchedLookups?.(reads) ?? reads);
  const transactions = new Transactions(followPrimary(forWrites, primary), {
    prepares,
    pipelinedWrites: options.pipelinedWrites,
  });
  const writes = new WriteSlots({ slots: options.poolSize, waitMs: answerMs });
  const inFlight = new InFlightWork(onEnd("write"));
  let closing: Promise<unknown> | undefined;

  return {
    engine: "postgres",
    // No connection survives a failover or a restart, so another server means a new connection.
    generation: () => connectionsOpened,
    read,
    write: (work, violations, owner) => {
      const attempt = () => transactions.run(work);
      return inFlight.run(() =>
        writes.run(owner, () => writeWithRetry(attempt, violations, onTrouble)),
      );
    },
    migrate: (steps, now) =>
      inFlight.run(() => {
        const target = { ...connection, connectionString: primary.url };
        return migrate({ connection: target, answerMs }, steps, now);
      }),
    pending: (steps) => pendingNames(readers, steps),
    acceptsWrites: async () => {
      const { rows } = await sql.raw<{ read_only: string | null }>(readOnlyQuery).execute(read);
      return rows[0]?.read_only !== "on";
    },
    close: async () => {
      closing ??= inFlight.drain().then(endPools);
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
        throw new DatabaseUnavailable(
          "the write conflicted with other transactions on every attempt",
          { cause: error },
        );
      }
      onTrouble("retried");
    }
    await new Promise((resolve) => setTimeout(resolve, 2 ** Math.min(tries, 7) * Math.random()));
  }
}
