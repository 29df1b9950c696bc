import { currentTrace, withTrace } from "#kernel/concurrency/trace.ts";
import type { Db } from "#ports/db.ts";

/** Runs each transaction in its caller's trace: a queue of writes runs them in the context of the write that started it. */
export function tracedWrites(db: Db): Db {
  return {
    ...db,
    write: (work, violations, owner) => {
      const trace = currentTrace();
      return db.write((tx) => withTrace(trace, () => work(tx)), violations, owner);
    },
  };
}
