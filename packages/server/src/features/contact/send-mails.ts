import { addressFor, findContact, markRefused } from "#kernel/contacts.ts";
import { startIntervalJob, type IntervalJob } from "#kernel/concurrency/interval-job.ts";
import type { Core, MailRoute } from "#kernel/core.ts";
import { endMail, leaseMail, retryMail, type WaitingMail } from "#kernel/mails.ts";
import type { Tx } from "#ports/db.ts";
import { MailUnavailable, type MailAnswer } from "#ports/mail.ts";
import type { MailState } from "#ports/schema.ts";
import { prepared } from "#kernel/sql/prepared.ts";
import { ok } from "#kernel/result.ts";
import { codeMs } from "./confirmation-code.ts";
import { composeMail } from "./compose-mail.ts";
import { takeEvents } from "./take-events.ts";

/** What one pass over the waiting mails did. */
export interface MailPass {
  sent: number;
  /** For good: by the mail server, or because they had waited too long. */
  dropped: number;
  /** What kept mails from being sent. They are tried again. */
  readonly failures: unknown[];
}

/** The next pass takes the rest. */
const batch = 50;
/** A later mail would confuse more than help. */
const triedMs = 24 * 3_600_000;
const firstPauseMs = 60_000;
const longestPauseMs = 3_600_000;

/**
 * Turns events into mails and sends those that are due. Any number of instances may do so at once: each mail is leased first. A mail is sent
 * twice only if the instance dies between sending and recording it.
 */
export async function sendMails(core: Core, stop?: AbortSignal): Promise<MailPass> {
  const pass: MailPass = { sent: 0, dropped: 0, failures: [] };
  const { mail } = core;
  if (mail === undefined) return pass;
  await takeEvents(core);
  for (const due of await selectDue(core.db.read, { now: core.clock.now() })) {
    if (stop?.aborted === true) break;
    if (!(await isLeased(core, due))) continue;
    try {
      const state = await sendOne(core, mail, due);
      if (state === "SENT") pass.sent += 1;
      else if (state !== "WAITING") pass.dropped += 1;
    } catch (error) {
      await write(core, (tx) => retryMail(tx, due, retryAt(core, due)));
      pass.failures.push(error);
      // The others are left for the next pass, without another attempt.
      if (error instanceof MailUnavailable) break;
    }
  }
  return pass;
}

type DueMail = Awaited<ReturnType<typeof selectDue>>[number];

const selectDue = prepared(["now"], (db, { now }: { readonly now: number }) =>
  db
    .selectFrom("mails")
    .innerJoin("accounts", "accounts.id", "mails.account_id")
    .select(["mails.id", "mails.account_id as accountId", "accounts.username", "mails.kind"])
    .select(["mails.topic", "mails.detail", "mails.recipient", "mails.attempts"])
    .select(["mails.created_at as createdAt"])
    .where("mails.state", "=", "WAITING")
    .where("mails.next_attempt_at", "<=", now)
    .orderBy("mails.next_attempt_at")
    .orderBy("mails.id")
    .limit(batch),
);

async function isLeased(core: Core, due: WaitingMail): Promise<boolean> {
  const result = await core.db.write(async (tx) => ok(await leaseMail(tx, due, core.clock.now())));
  return result.ok && result.value;
}

const states: Readonly<Record<MailAnswer, MailState>> = {
  SENT: "SENT",
  DEFERRED: "WAITING",
  MAIL_REFUSED: "REFUSED",
  ADDRESS_REFUSED: "REFUSED",
};

async function sendOne(core: Core, route: MailRoute, due: DueMail): Promise<MailState> {
  const isLate = core.clock.now() >= due.createdAt + lifetimeOf(due);
  const isWanted = !isLate && (await isStillWanted(core, due));
  if (!isWanted) return end(core, due, isLate ? "EXPIRED" : "UNWANTED");
  const answer = await route.mailer.send(await composeMail(core, route, due));
  const state = states[answer];
  if (state === "WAITING") {
    await write(core, (tx) => retryMail(tx, due, retryAt(core, due)));
    return state;
  }
  return end(core, due, state, answer === "ADDRESS_REFUSED");
}

/** The customer may have removed the address, or unsubscribed, since the mail was queued. */
async function isStillWanted({ db }: Core, { accountId, kind, recipient }: DueMail) {
  if (kind === "SECURITY") return true;
  const contact = await findContact(db.read, { accountId });
  if (kind === "CONFIRMATION") return contact?.pendingEmail === recipient;
  return addressFor(contact, kind) === recipient;
}

async function end(
  core: Core,
  { id, accountId, recipient }: DueMail,
  state: Exclude<MailState, "WAITING">,
  isAddressRefused = false,
): Promise<MailState> {
  await write(core, async (tx) => {
    if (isAddressRefused) await markRefused(tx, accountId, recipient, core.clock.now());
    await endMail(tx, id, state);
  });
  return state;
}

async function write({ db }: Core, work: (tx: Tx) => Promise<void>): Promise<void> {
  await db.write(async (tx) => {
    await work(tx);
    return ok();
  });
}

function lifetimeOf({ kind }: DueMail): number {
  return kind === "CONFIRMATION" ? codeMs : triedMs;
}

function retryAt({ clock }: Core, { attempts }: WaitingMail): number {
  return clock.now() + Math.min(firstPauseMs * 2 ** attempts, longestPauseMs);
}

/** How long a customer waits for a code at most, besides the way of the mail. */
const everyMs = 2_000;

/** Starts sending mails. Without a mail server there is no job. */
export function startMails(
  core: Core,
  schedule: {
    readonly report: (error: unknown) => void;
    readonly onPass: (pass: MailPass) => void;
  },
): readonly IntervalJob[] {
  if (core.mail === undefined) return [];
  const run = async (stop: AbortSignal) => {
    const pass = await sendMails(core, stop);
    schedule.onPass(pass);
    return pass.failures;
  };
  return [startIntervalJob(run, everyMs, schedule.report)];
}
