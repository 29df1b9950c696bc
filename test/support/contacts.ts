import { subscribeContact } from "#server/features/contact/take-events.ts";
import { confirmEmail, setPendingEmail } from "#server/kernel/contacts.ts";
import type { Core } from "#server/kernel/core.ts";
import { ok } from "#server/kernel/result.ts";

/** Gives the account a confirmed e-mail address, without a mail server. */
export async function giveContact(core: Core, username: string, email: string): Promise<void> {
  await core.db.write(async (tx) => {
    const { id: accountId } = await tx
      .selectFrom("accounts")
      .select("id")
      .where("username", "=", username)
      .executeTakeFirstOrThrow();
    await setPendingEmail(tx, accountId, { email, codeHash: "none", expiresAt: 0 });
    await confirmEmail(tx, accountId, email, core.clock.now());
    await subscribeContact({ tx, core }, accountId);
    return ok();
  });
}
