import type { ReadWithdrawalLockAnswer } from "@ironlease/client";
import { minuteOf } from "#output/formats.ts";

export function lockText({ locked, unlocksAt }: ReadWithdrawalLockAnswer): string {
  if (!locked) return "Withdrawals are not locked: they can go to any address.";
  return unlocksAt === null
    ? "Withdrawals are locked: they go only to usable saved addresses."
    : `Withdrawals are locked until ${minuteOf(unlocksAt)}.`;
}
