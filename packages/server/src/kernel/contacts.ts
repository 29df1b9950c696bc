import type { SubscribedMailKind } from "@ironlease/contract";
import type { Tx } from "#ports/db.ts";
import type { MailKind } from "#ports/schema.ts";
import type { Erase } from "./closed-account.ts";
import { preparedOne } from "./sql/prepared.ts";

/** Where an account wants its mail. */
export interface Contact {
  /** Confirmed. */
  readonly email: string | null;
  readonly refusedAt: number | null;
  readonly unsubscribed: string;
  readonly pendingEmail: string | null;
}

export const findContact = preparedOne(["accountId"], (db, { accountId }: { accountId: string }) =>
  db
    .selectFrom("contacts")
    .select([
      "email",
      "confirmed_at as confirmedAt",
      "refused_at as refusedAt",
      "pending_email as pendingEmail",
      "code_hash as codeHash",
      "code_expires_at as codeExpiresAt",
      "unsubscribed",
    ])
    .where("account_id", "=", accountId),
);

export function kindsOf(unsubscribed: string): readonly SubscribedMailKind[] {
  return unsubscribed === "" ? [] : (unsubscribed.split(",") as SubscribedMailKind[]);
}

/** The address to which the account gets mail of this kind. Undefined when it gets none. */
export function addressFor(contact: Contact | undefined, kind: MailKind): string | undefined {
  if (contact === undefined || contact.email === null || contact.refusedAt !== null)
    return undefined;
  const isUnwanted = kindsOf(contact.unsubscribed).some((unwanted) => unwanted === kind);
  return isUnwanted ? undefined : contact.email;
}

interface PendingContact {
  readonly email: string;
  readonly codeHash: string;
  readonly expiresAt: number;
}

/** Stores the address that the customer wants. It receives only its code until that is confirmed. */
export async function setPendingEmail(
  tx: Tx,
  accountId: string,
  { email, codeHash, expiresAt }: PendingContact,
): Promise<void> {
  const pending = { pending_email: email, code_hash: codeHash, code_expires_at: expiresAt };
  await tx
    .insertInto("contacts")
    .values({
      ...{ account_id: accountId, email: null, confirmed_at: null, refused_at: null },
      ...pending,
      unsubscribed: "",
    })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet(pending))
    .execute();
}

/** The confirmed address stays. */
export async function clearPendingEmail(tx: Tx, accountId: string): Promise<void> {
  await tx
    .updateTable("contacts")
    .set({ pending_email: null, code_hash: null, code_expires_at: null })
    .where("account_id", "=", accountId)
    .execute();
}

export async function setUnsubscribed(
  tx: Tx,
  accountId: string,
  kinds: readonly SubscribedMailKind[],
): Promise<void> {
  const unsubscribed = [...new Set(kinds)].toSorted().join(",");
  await tx
    .updateTable("contacts")
    .set({ unsubscribed })
    .where("account_id", "=", accountId)
    .execute();
}

/** The pending address replaces the old one. The caller has checked its code and holds the account's row. */
export async function confirmEmail(
  tx: Tx,
  accountId: string,
  email: string,
  now: number,
): Promise<void> {
  await tx
    .updateTable("contacts")
    .set({
      ...{ email, confirmed_at: now, refused_at: null },
      ...{ pending_email: null, code_hash: null, code_expires_at: null },
    })
    .where("account_id", "=", accountId)
    .execute();
}

export async function deleteContact(tx: Tx, accountId: string): Promise<void> {
  await tx.deleteFrom("contacts").where("account_id", "=", accountId).execute();
}

/** Nothing is sent to the address any more, until it is confirmed again. */
export async function markRefused(
  tx: Tx,
  accountId: string,
  email: string,
  now: number,
): Promise<void> {
  await tx
    .updateTable("contacts")
    .set({ refused_at: now })
    .where("account_id", "=", accountId)
    .where("email", "=", email)
    .where("refused_at", "is", null)
    .execute();
}

export const eraseContact: Erase = ({ tx }, accountId) => deleteContact(tx, accountId);
