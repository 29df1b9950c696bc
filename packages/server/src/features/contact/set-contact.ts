import type { SubscribedMailKind } from "@ironlease/contract";
import { lockAccount } from "#kernel/access/accounts.ts";
import { audit } from "#kernel/audit.ts";
import type { CustomerCall, Step } from "#kernel/call.ts";
import {
  clearPendingEmail,
  findContact,
  setPendingEmail,
  setUnsubscribed,
} from "#kernel/contacts.ts";
import type { Core } from "#kernel/core.ts";
import { queueMail } from "#kernel/mails.ts";
import { takeAttempts } from "#kernel/rate-limits.ts";
import type { Result } from "#ports/result.ts";
import { ok } from "#kernel/result.ts";
import { codeContext, codeMs, hashCode, newCode } from "./confirmation-code.ts";
import { checkOffered, contactRecord, type ContactRecord } from "./contact-record.ts";
import { readEmail } from "./email-address.ts";

interface NewContact {
  readonly email: string;
  readonly unsubscribed?: readonly SubscribedMailKind[] | undefined;
}

/** A code on its way to an address. */
interface IssuedCode {
  readonly mailId: string;
  readonly code: string;
  /** The mail keeps it sealed, because a database must not reveal it. */
  readonly sealed: string;
}

/**
 * Sends a code to a new address. The old one stays until the code is confirmed, so that a stolen session cannot
 * silence it. The confirmed address needs no code, unless the mail server has refused it since.
 */
export async function setContact(
  core: Core,
  call: CustomerCall,
  { unsubscribed, ...input }: NewContact,
): Promise<Result<ContactRecord>> {
  const { accountId } = call;
  const email = readEmail(input.email);
  if (!email.ok) return email;
  const [mailId, code] = [core.ids.next("mail"), newCode(core)];
  const issued = { mailId, code, sealed: await core.sealing.seal(code, codeContext(mailId)) };
  return core.db.write(async (tx) => {
    const step = { tx, core, call };
    const offered = checkOffered(core);
    if (!offered.ok) return offered;
    await lockAccount(tx, accountId);
    const contact = await findContact(tx, { accountId });
    const isConfirmed = contact?.email === email.value && contact.refusedAt === null;
    if (isConfirmed) await clearPendingEmail(tx, accountId);
    else {
      const sent = await sendCode(step, email.value, issued);
      if (!sent.ok) return sent;
    }
    if (unsubscribed !== undefined) await setUnsubscribed(tx, accountId, unsubscribed);
    // Without the address: the audit cannot be erased.
    await audit(step, "contact.set", accountId, { needsCode: !isConfirmed });
    return ok(await contactRecord(tx, accountId, core.clock.now()));
  });
}

async function sendCode(
  step: Step<CustomerCall>,
  email: string,
  { mailId, code, sealed }: IssuedCode,
): Promise<Result<void>> {
  const { tx, core, call } = step;
  const { accountId } = call;
  const now = core.clock.now();
  const limit = "contactCodes";
  const attempts = [`account ${accountId}`, `email ${email.toLowerCase()}`];
  const taken = await takeAttempts(
    tx,
    core.rules,
    attempts.map((subject) => ({ limit, subject })),
    now,
  );
  if (!taken.ok) return taken;
  const codeHash = hashCode(accountId, code);
  await setPendingEmail(tx, accountId, { email, codeHash, expiresAt: now + codeMs });
  const notice = { kind: "CONFIRMATION", topic: "contact.code", detail: { code: sealed } } as const;
  await queueMail(step, accountId, email, notice, mailId);
  return ok();
}
