import type { Tx } from "#ports/db.ts";
import type { MailKind, MailState } from "#ports/schema.ts";
import type { Erase } from "./closed-account.ts";
import type { TxScope } from "./call.ts";
import { addressFor, findContact } from "./contacts.ts";
import { preparedInsert } from "./sql/prepared.ts";

/** Every write to `mails`, the queue of mails to customers. */

export type MailDetail = Readonly<Record<string, string | number | null>>;

/** The content of a mail. Never the text of a message. */
export interface Notice {
  readonly kind: MailKind;
  readonly topic: string;
  readonly detail?: MailDetail;
}

/** The mails of one kind to one account in a day. More are not sent. */
const mostPerDay = 50;
const dayMs = 86_400_000;

/** Longer than any attempt, so that no other instance sends the mail meanwhile. */
const leaseMs = 5 * 60_000;

/**
 * Queues a mail to the account's contact, in the transaction of its cause, so that neither exists without the other. Does
 * nothing for an account without a confirmed address, or that has unsubscribed from this kind.
 */
export async function tellContact(
  scope: TxScope,
  accountId: string,
  notice: Notice,
): Promise<void> {
  const recipient = addressFor(await findContact(scope.tx, { accountId }), notice.kind);
  if (recipient !== undefined) await queueMail(scope, accountId, recipient, notice);
}

const insertMail = preparedInsert("mails", [
  "id",
  "account_id",
  "kind",
  "topic",
  "detail",
  "recipient",
  "state",
  "attempts",
  "created_at",
  "next_attempt_at",
]);

/** Queues a mail to this address, unless the account has had too many. */
export async function queueMail(
  { tx, core }: TxScope,
  accountId: string,
  recipient: string,
  { kind, topic, detail = {} }: Notice,
  id = core.ids.next("mail"),
): Promise<void> {
  const now = core.clock.now();
  const recent = await tx
    .selectFrom("mails")
    .select("id")
    .where("account_id", "=", accountId)
    .where("kind", "=", kind)
    .where("created_at", ">", now - dayMs)
    .limit(mostPerDay)
    .execute();
  if (recent.length >= mostPerDay) return;
  await insertMail(tx, {
    id,
    account_id: accountId,
    kind,
    topic,
    detail: JSON.stringify(detail),
    recipient,
    state: "WAITING",
    attempts: 0,
    created_at: now,
    next_attempt_at: now,
  });
}

export interface WaitingMail {
  readonly id: string;
  readonly attempts: number;
}

/** Leases a waiting mail to this instance. False when another instance was faster. */
export async function leaseMail(
  tx: Tx,
  { id, attempts }: WaitingMail,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("mails")
    .set({ attempts: attempts + 1, next_attempt_at: now + leaseMs })
    .where("id", "=", id)
    .where("state", "=", "WAITING")
    .where("attempts", "=", attempts)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Ends the lease: the mail is tried again at `at`. */
export async function retryMail(tx: Tx, { id, attempts }: WaitingMail, at: number): Promise<void> {
  await tx
    .updateTable("mails")
    .set({ next_attempt_at: at })
    .where("id", "=", id)
    .where("state", "=", "WAITING")
    .where("attempts", "=", attempts + 1)
    .execute();
}

export async function endMail(
  tx: Tx,
  id: string,
  state: Exclude<MailState, "WAITING">,
): Promise<void> {
  await tx.updateTable("mails").set({ state, detail: "{}" }).where("id", "=", id).execute();
}

/** Longer than a mail is tried and than mails are counted. */
const keptMs = 3 * dayMs;

/** Deletes up to `limit` old mails, and returns how many. */
export async function sweepMails(tx: Tx, now: number, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom("mails")
    .where("id", "in", (eb) =>
      eb
        .selectFrom("mails")
        .select("id")
        .where("created_at", "<=", now - keptMs)
        .limit(limit),
    )
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Deletes every mail, sent or waiting. */
export const eraseMails: Erase = async ({ tx }, accountId) => {
  await tx.deleteFrom("mails").where("account_id", "=", accountId).execute();
};
