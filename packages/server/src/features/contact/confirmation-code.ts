import { newReadableCode, normalizeRecoveryCode } from "#kernel/access/readable-code.ts";
import { hashSecret } from "#kernel/access/secrets.ts";
import type { Core } from "#kernel/core.ts";

export const codeMs = 60 * 60_000;

/** 50 random bits. Enough, because a code lasts an hour and few attempts are allowed. */
export function newCode({ random }: Core): string {
  return newReadableCode(random, 2);
}

export function hashCode(accountId: string, typed: string): string {
  return hashSecret(`contact ${accountId} ${normalizeRecoveryCode(typed)}`);
}

/** The context in which the code is sealed while its mail waits. */
export function codeContext(mailId: string): string {
  return `contact code ${mailId}`;
}
