import { lockAccount } from "#kernel/access/accounts.ts";
import { audit } from "#kernel/audit.ts";
import type { CustomerCall } from "#kernel/call.ts";
import { deleteContact, findContact } from "#kernel/contacts.ts";
import type { Core } from "#kernel/core.ts";
import { tellContact } from "#kernel/mails.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import { checkOffered } from "./contact-record.ts";
import { unsubscribeContact } from "./take-events.ts";

/** Removes the contact with every setting. A confirmed address gets a last mail about it. */
export async function removeContact(core: Core, call: CustomerCall): Promise<Result<void>> {
  const { accountId } = call;
  return core.db.write(async (tx) => {
    const step = { tx, core, call };
    const offered = checkOffered(core);
    if (!offered.ok) return offered;
    await lockAccount(tx, accountId);
    if ((await findContact(tx, { accountId })) === undefined) return refuse("not_found");
    await tellContact(step, accountId, { kind: "SECURITY", topic: "contact.removed" });
    await unsubscribeContact(step, accountId);
    await deleteContact(tx, accountId);
    await audit(step, "contact.remove", accountId);
    return ok();
  });
}
