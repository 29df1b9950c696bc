import type { Core } from "../kernel/core.ts";
import type { Db, Tx } from "../ports/db.ts";
import type { Refusal } from "../ports/result.ts";

/** Says why the caller may not write any more; undefined while access lasts. */
type WriteGuard = (tx: Tx) => Promise<Refusal | undefined>;

/** The same core, except that every transaction starts with the guard and ends there when it refuses. */
export function withGuardedWrites(core: Core, guard: WriteGuard): Core {
  return { ...core, db: guardedDb(core.db, guard) };
}

function guardedDb(db: Db, guard: WriteGuard): Db {
  return {
    ...db,
    write: (work, violations) =>
      db.write(async (tx) => {
        const refusal = await guard(tx);
        return refusal === undefined ? work(tx) : { ok: false, refusal };
      }, violations),
  };
}
