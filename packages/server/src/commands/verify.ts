import { existsSync } from "node:fs";
import { join } from "node:path";
import { createLog } from "../adapters/system/log.ts";
import { readConfig } from "../config.ts";
import { stateDigest, verifyInvariants } from "../features/verification/verify-invariants.ts";
import { migrations } from "../migrations/index.ts";
import { openDatabase } from "../main.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Prints every invariant with a count, and the rows that break one. Exit code 1 if any does. */
export async function verify(env: Environment, print: (line: string) => void): Promise<number> {
  const config = readConfig("preview", env);
  // Opening would make an empty one, in which everything holds.
  if (config.databaseUrl === undefined && !existsSync(join(config.data, "ironlease.db"))) {
    print(`There is no database in ${config.data}: IRONLEASE_DATA says where it is.`);
    return 1;
  }
  const db = await openDatabase(config, createLog("silent"));
  try {
    const pending = await db.pending(migrations);
    if (pending.length > 0) {
      print(`The database lacks ${pending.join(", ")}: run ironleased migrate first.`);
      return 1;
    }
    const findings = await verifyInvariants(db);
    for (const { number, title, count, offenders, more } of findings) {
      print(`${offenders.length === 0 ? "ok  " : "BAD "} ${number}. ${title} (${count})`);
      for (const { subject, problem } of offenders) print(`       ${subject}: ${problem}`);
      if (more) print("       … and more");
    }
    print(`ok   8. on ${db.engine} with full durability; state ${await stateDigest(db)}`);
    const broken = findings.filter(({ offenders }) => offenders.length > 0).length;
    print(broken === 0 ? "All invariants hold." : `${broken} of ${findings.length} do not hold.`);
    return broken === 0 ? 0 : 1;
  } finally {
    await db.close();
  }
}
