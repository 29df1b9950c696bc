import type { Effect, Job, WorkEffect } from "#kernel/work-effects.ts";
import type { Result } from "#ports/result.ts";
import { ok } from "#kernel/result.ts";

/** SERVER_ACTION work: the operator acts on the hardware, so only the item itself changes. */
export const actionEffect: WorkEffect = {
  complete: async (job) => outcome(job, "PERFORMED", "done"),
  fail: async (job) => outcome(job, "NOT_PERFORMED", "not carried out"),
};

const actionNames: Readonly<Record<string, string>> = {
  reboot: "Reboot",
  power_off: "Power off",
  reinstall: "Reinstall",
  mount_iso: "Mount ISO",
  kvm: "Remote console (KVM)",
  rotate_root_password: "New root password",
};

/** A power change that an operator requested tells the customer nothing: the suspension has its own reason. */
function outcome({ item: { action } }: Job, word: string, result: string): Result<Effect> {
  if (action === null) return ok({ outcome: word });
  return ok({ outcome: word, report: `${actionNames[action] ?? action}: ${result}.` });
}
