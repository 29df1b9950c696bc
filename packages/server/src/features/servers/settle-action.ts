import type { WorkEffect } from "#kernel/work-effects.ts";
import { ok } from "#kernel/result.ts";

/** SERVER_ACTION work: the operator acts on the hardware, so only the item itself changes. */
export const actionEffect: WorkEffect = {
  complete: async () => ok({ outcome: "PERFORMED" }),
  fail: async () => ok({ outcome: "NOT_PERFORMED" }),
};
