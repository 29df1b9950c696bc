import type { Ids } from "../../packages/server/src/kernel/ids.ts";
import type { Result } from "../../packages/server/src/ports/result.ts";

/** What the process of a run dies of. */
export class Death extends Error {}

/** Every write makes identifiers, so dying at one of them is dying in the middle of a transaction. */
export function dyingIds(ids: Ids, failAt: number): Ids {
  let made = 0;
  return {
    ...ids,
    next: (kind) => {
      made += 1;
      if (made >= failAt) throw new Death();
      return ids.next(kind);
    },
  };
}

export function outcomeOf(result: Result<{ readonly replayed: boolean }>): string {
  if (!result.ok) return result.refusal.code;
  return result.value.replayed ? "replay" : "ok";
}

/** Of a step that takes no key. */
export function deskOutcome(result: Result<unknown>): string {
  return result.ok ? "ok" : result.refusal.code;
}
