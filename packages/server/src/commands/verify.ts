import { stateDigest, verifyInvariants } from "#features/verification/verify-invariants.ts";
import type { Call } from "./command.ts";
import { checkDataFolder, withDatabase } from "./with-database.ts";

/** Prints every invariant with a count, and the rows that violate one. Exit code 1 if any does. */
export function verify({ env, print, data }: Call): Promise<number> {
  return withDatabase(env, print, checkDataFolder, async ({ db }) => {
    const findings = await verifyInvariants(db);
    for (const { number, title, count, offenders, more } of findings) {
      print(`${offenders.length === 0 ? "ok  " : "BAD "} ${number}. ${title} (${count})`);
      for (const { subject, problem } of offenders) print(`       ${subject}: ${problem}`);
      if (more) print("       … and more");
    }
    const state = await stateDigest(db);
    print(`ok   8. on ${db.engine} with full durability; state ${state}`);
    const broken = findings.filter(({ offenders }) => offenders.length > 0).length;
    data({ holds: broken === 0, engine: db.engine, state, invariants: findings });
    print(
      broken === 0
        ? "All invariants hold."
        : `${broken} of ${findings.length} invariants do not hold.`,
    );
    return broken === 0 ? 0 : 1;
  });
}
