import { lockAccount } from "#kernel/access/accounts.ts";
import { countAttempts } from "#kernel/access/password-attempts.ts";
import { refuseAccess } from "#kernel/access/refused-access.ts";
import { sameText } from "#kernel/access/secrets.ts";
import { audit } from "#kernel/audit.ts";
import type { CustomerCall, Step } from "#kernel/call.ts";
import { confirmEmail, findContact } from "#kernel/contacts.ts";
import type { Core } from "#kernel/core.ts";
import { queueMail, tellContact } from "#kernel/mails.ts";
import { giveBackAttempts, type Attempt } from "#kernel/rate-limits.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import { hashCode } from "./confirmation-code.ts";
import { checkOffered, contactRecord, type ContactRecord } from "./contact-record.ts";
import { subscribeContact } from "./take-events.ts";

const nothingPending = "No address waits for a code. Set the address first.";

/** Puts the pending address into use, given its code. The old address gets a mail about it. */
export async function confirmContact(
  core: Core,
  call: CustomerCall,
  typed: string,
): Promise<Result<ContactRecord>> {
  const attempt = { limit: "contactConfirmations", subject: call.accountId } as const;
  const counted = await countAttempts(core, [attempt]);
  if (!counted.ok) return counted;
  const confirmed = await core.db.write((tx) => confirm({ tx, core, call }, typed, attempt));
  if (confirmed.ok || confirmed.refusal.code !== "invalid_credentials") return confirmed;
  const { message } = confirmed.refusal;
  return refuseAccess(core, call.client, {
    action: "contact.refuse_code",
    ownerId: call.accountId,
    ...(message !== undefined && { message }),
  });
}

async function confirm(
  step: Step<CustomerCall>,
  typed: string,
  attempt: Attempt,
): Promise<Result<ContactRecord>> {
  const { tx, core, call } = step;
  const { accountId } = call;
  const now = core.clock.now();
  const offered = checkOffered(core);
  if (!offered.ok) return offered;
  await lockAccount(tx, accountId);
  const contact = await findContact(tx, { accountId });
  const {
    email = null,
    pendingEmail = null,
    codeHash = null,
    codeExpiresAt = null,
  } = contact ?? {};
  if (pendingEmail === null || codeHash === null || (codeExpiresAt ?? 0) <= now) {
    return refuse("conflict", { message: nothingPending });
  }
  if (!sameText(hashCode(accountId, typed), codeHash)) {
    return refuse("invalid_credentials", {
      message: "The code is incorrect. Check the latest e-mail and try again.",
    });
  }
  await confirmEmail(tx, accountId, pendingEmail, now);
  if (email === null) await subscribeContact(step, accountId);
  await giveBackAttempts(tx, core.rules, [attempt]);
  const notice = { kind: "SECURITY", topic: "contact.changed" } as const;
  if (email !== null && email !== pendingEmail) await queueMail(step, accountId, email, notice);
  await tellContact(step, accountId, notice);
  await audit(step, "contact.confirm", accountId);
  return ok(await contactRecord(tx, accountId, now));
}
