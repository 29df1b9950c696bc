import type { SubscribedMailKind } from "@ironlease/contract";
import { findContact, kindsOf } from "#kernel/contacts.ts";
import type { Core } from "#kernel/core.ts";
import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";

export interface ContactRecord {
  readonly email: string | null;
  readonly confirmedAt: number | null;
  readonly refusedAt: number | null;
  readonly pending: { readonly email: string; readonly expiresAt: number } | null;
  readonly unsubscribed: readonly SubscribedMailKind[];
}

const none: ContactRecord = {
  email: null,
  confirmedAt: null,
  refusedAt: null,
  pending: null,
  unsubscribed: [],
};

/** The contact as of now: a pending address whose code has expired is left out. */
export async function contactRecord(
  db: Tx,
  accountId: string,
  now: number,
): Promise<ContactRecord> {
  const contact = await findContact(db, { accountId });
  if (contact === undefined) return none;
  const { email, confirmedAt, refusedAt, pendingEmail, codeExpiresAt } = contact;
  const pending =
    pendingEmail === null || codeExpiresAt === null || codeExpiresAt <= now
      ? null
      : { email: pendingEmail, expiresAt: codeExpiresAt };
  return { email, confirmedAt, refusedAt, pending, unsubscribed: kindsOf(contact.unsubscribed) };
}

/** Without a mail server the service takes no addresses. */
export function checkOffered({ mail }: Core): Result<void> {
  if (mail !== undefined) return ok();
  return refuse("not_found", { message: "This service sends no e-mail." });
}

/** Reads the account's contact. */
export function readContact({ db, clock }: Core, accountId: string): Promise<ContactRecord> {
  return contactRecord(db.read, accountId, clock.now());
}
