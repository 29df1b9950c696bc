import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import type { Ground } from "./ground.ts";
import type { Deed, Statement } from "./recorder.ts";

/**
 * What a write is at the least: its statements with their values, prepared, one after the other, one
 * commit for each transaction, and nothing around them.
 */
export interface RawLoop {
  /** Gives the seconds that it took. */
  run(deeds: readonly Deed[]): Promise<number>;
  close(): Promise<void>;
}

export function openRawLoop(ground: Ground): Promise<RawLoop> {
  return ground.databaseUrl === undefined
    ? openSqliteLoop(ground.data)
    : openPostgresLoop(ground.databaseUrl);
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
    run: async (deeds) => {
      const startedAt = performance.now();
      for (const statements of deeds.flat()) {
        database.exec("begin immediate");
        for (const statement of statements) execute(statement);
        database.exec("commit");
      }
      return (performance.now() - startedAt) / 1_000;
    },
    close: async () => database.close(),
  };
}

/** As many loops as the service has connections. */
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
  const perform = async (client: pg.Client, deed: Deed) => {
    for (const statements of deed) {
      await client.query("begin");
      for (const { sql, parameters } of statements) {
        await client.query({ name: nameOf(sql), text: sql, values: [...parameters] });
      }
      await client.query("commit");
    }
  };
  return {
    run: async (deeds) => {
      const left = deeds.values();
      const startedAt = performance.now();
      await Promise.all(
        clients.map(async (client) => {
          for (const deed of left) await perform(client, deed);
        }),
      );
      return (performance.now() - startedAt) / 1_000;
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.end()));
    },
  };
}
