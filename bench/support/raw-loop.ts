import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import type { BenchDatabase } from "./bench-database.ts";
import type { RecordedRequest, Statement } from "./recorder.ts";

/** The baseline of the write benchmarks: the prepared statements of a write, one commit per transaction. */
export interface RawLoop {
  /** Returns the elapsed seconds. */
  run(recordings: readonly RecordedRequest[]): Promise<number>;
  close(): Promise<void>;
}

export function openRawLoop(database: BenchDatabase): Promise<RawLoop> {
  return database.databaseUrl === undefined
    ? openSqliteLoop(database.data)
    : openPostgresLoop(database.databaseUrl);
}

async function openSqliteLoop(data: string): Promise<RawLoop> {
  const database = new DatabaseSync(join(data, "ironlease.db"), { timeout: 5_000 });
  database.exec("pragma synchronous = full");
  database.exec("pragma foreign_keys = on");
  const prepared = new Map<string, ReturnType<typeof database.prepare>>();
  const execute = ({ sql, parameters }: Statement) => {
    let statement = prepared.get(sql);
    if (statement === undefined) prepared.set(sql, (statement = database.prepare(sql)));
    statement.all(...parameters);
  };
  return {
    run: async (recordings) => {
      const startedAt = performance.now();
      for (const statements of recordings.flat()) {
        database.exec("begin immediate");
        for (const statement of statements) execute(statement);
        database.exec("commit");
      }
      return (performance.now() - startedAt) / 1_000;
    },
    close: async () => database.close(),
  };
}

/** As many as the service has connections for writes. */
const loops = 4;

async function openPostgresLoop(connectionString: string): Promise<RawLoop> {
  const clients = Array.from({ length: loops }, () => new pg.Client({ connectionString }));
  await Promise.all(clients.map((client) => client.connect()));
  const names = new Map<string, string>();
  const nameOf = (sql: string) => {
    let name = names.get(sql);
    if (name === undefined) names.set(sql, (name = `raw ${names.size}`));
    return name;
  };
  const perform = async (client: pg.Client, recording: RecordedRequest) => {
    for (const statements of recording) {
      await client.query("begin");
      for (const { sql, parameters } of statements) {
        await client.query({ name: nameOf(sql), text: sql, values: [...parameters] });
      }
      await client.query("commit");
    }
  };
  return {
    run: async (recordings) => {
      const left = recordings.values();
      const startedAt = performance.now();
      await Promise.all(
        clients.map(async (client) => {
          for (const recording of left) await perform(client, recording);
        }),
      );
      return (performance.now() - startedAt) / 1_000;
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.end()));
    },
  };
}
