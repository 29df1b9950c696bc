import { audit } from "#kernel/audit.ts";
import { systemCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { checkNewPassword } from "#kernel/access/password-rules.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";
import { replacePassword } from "./replace-password.ts";

/** Ensures that this is the operator's password. Changes nothing if it already is. */
export async function setOperatorPassword(
  core: Core,
  username: string,
  password: string,
): Promise<Result<{ readonly isChanged: boolean }>> {
  const operator = await core.db.read
    .selectFrom("operators")
    .select(["id", "password_hash"])
    .where("username", "=", username)
    .executeTakeFirst();
  if (operator === undefined) return refuse("not_found");
  const verified = await core.passwords.verify(password, operator.password_hash);
  if (!verified.ok) return verified;
  if (verified.value) return ok({ isChanged: false });
  const allowed = checkNewPassword("password", password, username);
  if (!allowed.ok) return allowed;
  const newHash = await core.passwords.hash(password);
  if (!newHash.ok) return newHash;

  return core.db.write(async (tx) => {
    const hashes = { old: operator.password_hash, new: newHash.value };
    const isChanged = await replacePassword(tx, operator.id, hashes);
    // False if another process changed the password first. That password stays.
    const step = { tx, core, call: systemCall };
    if (isChanged) await audit(step, "operator.change_password", operator.id);
    return ok({ isChanged });
  });
}
