import { createInterface } from "node:readline";
import { DatabaseSync } from "node:sqlite";
import { sql } from "kysely";
import { migrations } from "#server/migrations/index.ts";
import type { Db, Engine } from "#server/ports/db.ts";
import { ok } from "#server/kernel/result.ts";
import { openAt } from "#test/open-at.ts";
import { addCounter } from "./rows.ts";

export interface Task {
  readonly kind: "migrate" | "write" | "lock";
  readonly engine: Engine;
  readonly location: string;
  /** The prefix of this process's rows. */
  readonly name?: string;
}

const lanes = 5;
const writesPerLane = 60;

/** Prints the steps that this process applied. */
async function migrate(db: Db): Promise<void> {
  for (const step of await db.migrate(migrations, Date.now())) print(step);
}

/** Each write inserts a row and increments the shared row, and then prints its key as an acknowledgement. */
async function write(db: Db, name: string): Promise<void> {
  const writeInSequence = async (lane: number) => {
    for (let turn = 0; turn < writesPerLane; turn += 1) {
      const key = `${name} ${lane} ${turn}`;
      await db.write(async (tx) => {
        await addCounter(tx, key);
        const shared = tx.updateTable("rate_limits").where("key", "=", "shared");
        await shared.set({ count: sql`count + 1` }).execute();
        return ok();
      });
      print(key);
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => writeInSequence(lane)));
}

/** Keeps every other process out of a SQLite file for the time that a large transaction takes. */
function lock(location: string): void {
  const database = new DatabaseSync(location);
  database.exec("pragma locking_mode = exclusive; begin immediate; create table large (value)");
  print("locked");
  database.exec(
    `with recursive numbers(value) as (select 1 union all select value + 1 from numbers limit 500000)
     insert into large select value from numbers`,
  );
  database.exec("rollback");
  database.close();
}

async function run({ kind, engine, location, name = "" }: Task): Promise<void> {
  if (kind === "lock") return lock(location);
  const db = await openAt(engine, location);
  await (kind === "migrate" ? migrate(db) : write(db, name));
  await db.close();
}

/** Writes to a pipe are synchronous here, so a killed process has printed everything it acknowledged. */
function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

print("ready");
for await (const line of createInterface(process.stdin)) {
  try {
    await run(JSON.parse(line));
  } catch (error) {
    print(`failed: ${error instanceof Error ? error.stack : String(error)}`);
  }
  print("done");
}
