import { limits } from "@ironlease/contract";
import { audit } from "#kernel/audit.ts";
import type { Keyed, OperatorCall } from "#kernel/call.ts";
import { lockOpenAccount, type Erase } from "#kernel/closed-account.ts";
import type { Core } from "#kernel/core.ts";
import { once, type RecordedAnswer } from "#kernel/idempotency.ts";
import { ok, refuseField } from "#kernel/result.ts";
import type { Result } from "#ports/result.ts";

/** What an operator noted about an account. Customers never see it. */
export interface AccountNote {
  readonly id: string;
  readonly createdAt: number;
  readonly operator: string;
  readonly text: string;
}

/** A page of an account's notes, newest first. */
export async function listAccountNotes(
  { db }: Core,
  accountId: string,
  after?: string,
): Promise<readonly AccountNote[]> {
  let page = db.read
    .selectFrom("account_notes")
    .innerJoin("operators", "operators.id", "account_notes.operator_id")
    .select([
      "account_notes.id",
      "account_notes.created_at as createdAt",
      "operators.username as operator",
    ])
    .select("account_notes.text")
    .where("account_notes.account_id", "=", accountId)
    .orderBy("account_notes.id", "desc")
    .limit(limits.listLength);
  if (after !== undefined) page = page.where("account_notes.id", "<", after);
  return page.execute();
}

/** The answer has no text, because the key keeps it for ever, and closing the account erases the note. */
export async function addAccountNote(
  core: Core,
  call: Keyed<OperatorCall>,
  { accountId, ...input }: { readonly accountId: string; readonly text: string },
): Promise<Result<RecordedAnswer<{ readonly id: string }>>> {
  const text = input.text.trim();
  if (text === "") return refuseField("text", "must not be empty");
  return core.db.write(async (tx) => {
    const step = { tx, core, call };
    const open = await lockOpenAccount(tx, accountId);
    if (!open.ok) return open;
    return once(step, { accountId, text }, async () => {
      const id = core.ids.next("accountNote");
      await tx
        .insertInto("account_notes")
        .values({
          id,
          account_id: accountId,
          operator_id: call.operator.operatorId,
          text,
          created_at: core.clock.now(),
        })
        .execute();
      await audit(step, "account.note", accountId, { noteId: id });
      return ok({ status: 201, body: { id }, reference: id });
    });
  });
}

/** Deletes the notes on an account that closes. */
export const eraseAccountNotes: Erase = async ({ tx }, accountId) => {
  await tx.deleteFrom("account_notes").where("account_id", "=", accountId).execute();
};
