import type { Core } from "#kernel/core.ts";
import type { Tx } from "#ports/db.ts";
import type { Refusal } from "#ports/result.ts";

/** The caller of a write: an account, an operator, or a client that is not signed in. */
interface Writer {
  readonly id: string;
  /** Returns a refusal if the caller's access has ended. */
  readonly recheck?: (tx: Tx) => Promise<Refusal | undefined>;
}

/**
 * The core for one caller. Every write transaction first checks the caller again and stops if access has
 * ended. Writes queue in the caller's own lane.
 */
export function coreFor({ id, recheck }: Writer, core: Core): Core {
  const { db } = core;
  const write: typeof db.write = (work, violations) => {
    const guarded: typeof work = async (tx) => {
      const refusal = await recheck?.(tx);
      return refusal === undefined ? work(tx) : { ok: false, refusal };
    };
    return db.write(guarded, violations, id);
  };
  return { ...core, db: { ...db, write } };
}
