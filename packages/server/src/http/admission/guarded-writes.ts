import type { Core } from "#kernel/core.ts";
import type { Tx } from "#ports/db.ts";
import type { Refusal } from "#ports/result.ts";

/** Who changes something: an account, an operator, or a client that is not signed in. */
interface Writer {
  readonly id: string;
  /** Says why they may not write any more; undefined while their access lasts. */
  readonly recheck?: (tx: Tx) => Promise<Refusal | undefined>;
}

/**
 * The core as one caller uses it: every transaction starts by checking the caller again and ends there
 * when access is gone, and writes queue behind the caller's own.
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
