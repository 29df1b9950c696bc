import type { ReadContactAnswer } from "@ironlease/client";
import { type Style, record } from "@ironlease/command-line";
import { minuteOf } from "#output/formats.ts";

/** The JSON fields of a contact. */
export const contactFields = [
  ...["offered", "email", "confirmedAt", "refusedAt", "pending", "unsubscribed"],
] as const;

export function contactText(shown: ReadContactAnswer, style: Style): string {
  if (!shown.offered) return "This service sends no e-mail.";
  const { email, confirmedAt, refusedAt, pending, unsubscribed } = shown;
  return record(style, [
    ["E-mail", email ?? "none"],
    ["Confirmed", confirmedAt === null ? undefined : minuteOf(confirmedAt)],
    ["Refused", refusedAt === null ? undefined : `${minuteOf(refusedAt)}, by the mail server`],
    ["Waiting", pending === null ? undefined : `${pending.email}, for its code`],
    ["Code until", pending === null ? undefined : minuteOf(pending.expiresAt)],
    ["Not sent", unsubscribed.length === 0 ? undefined : unsubscribed.join(", ")],
  ]);
}
