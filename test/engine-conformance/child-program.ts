import { createInterface } from "node:readline";
import { sql } from "kysely";
import { migrations } from "#server/migrations/index.ts";
import type { Db, Engine } from "#server/ports/db.ts";
import { ok } from "#server/kernel/result.ts";
import { openAt } from "#test/open-at.ts";
import { addCounter } from "./rows.ts";

export interface Order {
  readonly task: "migrate" | "write";
  readonly engine: Engine;
  readonly location: string;
  /** What the rows of this process start with. */
  readonly name?: string;
}

const lanes = 5;
const writesPerLane = 60;

/** Says which steps it was that this process applied. */
async function migrate(db: Db): Promise<void> {
  for (const step of await db.migrate(migrations, Date.now())) say(step);
}

/** Each write adds a row of its own and one to the row that all share; then it is acknowledged. */
async function write(db: Db, name: string): Promise<void> {
  const writeInTurn = async (lane: number) => {
    for (let turn = 0; turn < writesPerLane; turn += 1) {
      const key = `${name} ${lane} ${turn}`;
      await db.write(async (tx) => {
        await addCounter(tx, key);
        const shared = tx.updateTable("rate_limits").where("key", "=", "shared");
        await shared.set({ count: sql`count + 1` }).execute();
        return ok();
      });
      say(key);
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => writeInTurn(lane)));
}

async function carryOut({ task, engine, location, name = "" }: Order): Promise<void> {
  const db = await openAt(engine, location);
  await (task === "migrate" ? migrate(db) : write(db, name));
  await db.close();
}

/** A pipe is written to at once here, so a process that is killed has said all that it did. */
function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

say("ready");
for await (const line of createInterface(process.stdin)) {
  try {
    await carryOut(JSON.parse(line));
  } catch (error) {
    say(`failed: ${error instanceof Error ? error.stack : String(error)}`);
  }
  say("done");
}
