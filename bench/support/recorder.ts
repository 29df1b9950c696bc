import { createLog } from "#server/adapters/system/log.ts";
import { createMetrics } from "#server/adapters/system/metrics.ts";
import { readConfig } from "#server/config.ts";
import { openListeners } from "#server/composition/listeners.ts";
import { createCore } from "#server/composition/create-core.ts";
import { openDatabase } from "#server/composition/open-database.ts";
import type { Db } from "#server/ports/db.ts";
import { noActionLimits } from "#test/no-action-limits.ts";
import { noMailServer } from "#test/no-mail-server.ts";
import { interceptQueries } from "#test/intercept-queries.ts";
import type { BenchDatabase } from "./bench-database.ts";
import { Connection } from "./send-all.ts";

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly (string | number | null)[];
}

/** The committed transactions of one request, each with its statements. */
export type RecordedRequest = readonly (readonly Statement[])[];

/** The service in this process, on a database wrapper that records committed writes. */
export interface Recorder {
  readonly port: number;
  readonly operatorPort: number;
  /** Sends the requests sequentially. */
  record(port: number, requests: readonly string[]): Promise<readonly RecordedRequest[]>;
  stop(): Promise<void>;
}

export async function startRecorder({ data, databaseUrl }: BenchDatabase): Promise<Recorder> {
  const config = readConfig("preview", {
    IRONLEASE_DATA: data,
    IRONLEASE_LISTEN: "127.0.0.1:0",
    IRONLEASE_OPERATOR_LISTEN: "127.0.0.1:0",
    IRONLEASE_TLS: "off",
    IRONLEASE_AUTH_LIMITS: "off",
    IRONLEASE_HARDWARE_NETWORKS: "127.0.0.0/8",
    ...noMailServer,
    ...noActionLimits,
    ...(databaseUrl === undefined ? {} : { IRONLEASE_DATABASE_URL: databaseUrl }),
  });
  const log = createLog("silent");
  const db = await openDatabase(config, log);
  let transactions: (readonly Statement[])[] = [];
  const recording = recordWrites(db, (statements) => transactions.push(statements));
  const metrics = createMetrics({ version: "bench", node: "", engine: db.engine });
  const { account, operator } = await openListeners(
    config,
    createCore(config, recording),
    log,
    { account: undefined, operator: undefined },
    { metrics, phase: () => "ready" },
  );
  return {
    port: portOf(account.url),
    operatorPort: portOf(operator?.url),
    record: async (port, requests) => {
      const connection = await Connection.open(port);
      const recordings: RecordedRequest[] = [];
      for (const request of requests) {
        transactions = [];
        await connection.send(request);
        recordings.push(transactions);
      }
      connection.close();
      return recordings;
    },
    stop: async () => {
      await Promise.all([account.drain(), operator?.drain()]);
      await db.close();
    },
  };
}

function portOf(url: string | undefined): number {
  return Number(new URL(url ?? "").port);
}

function recordWrites(db: Db, onCommit: (statements: readonly Statement[]) => void): Db {
  return {
    ...db,
    write: async (work, violations) => {
      let statements: Statement[] = [];
      const result = await db.write((tx) => {
        statements = [];
        return work(
          interceptQueries(tx, (query) => {
            const { sql, parameters } = query;
            statements.push({ sql, parameters: parameters as Statement["parameters"] });
            return tx.executeQuery(query) as never;
          }),
        );
      }, violations);
      if (result.ok) onCommit(statements);
      return result;
    },
  };
}
