import { accountOperations } from "@ironlease/contract";
import { audit } from "#kernel/audit.ts";
import type { Call } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { compileSchemaCheck } from "#kernel/field-checks.ts";
import { checkNewPassword } from "#kernel/access/password-rules.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuseField } from "#kernel/result.ts";
import type { OperatorRole } from "#ports/schema.ts";

/** Adds an operator, who can sign in with the password immediately. */
export async function addOperator(
  core: Core,
  call: Call,
  input: { readonly username: string; readonly role: OperatorRole; readonly password: string },
): Promise<Result<{ readonly id: string; readonly username: string }>> {
  const [fault] = compileSchemaCheck(usernameRules)(input.username);
  if (fault !== undefined) return refuseField("username", fault.message);
  const username = input.username.toLowerCase();
  const allowed = checkNewPassword("password", input.password, username);
  if (!allowed.ok) return allowed;
  const passwordHash = await core.passwords.hash(input.password);
  if (!passwordHash.ok) return passwordHash;

  return core.db.write(
    async (tx) => {
      const id = core.ids.next("operator");
      await tx
        .insertInto("operators")
        .values({
          id,
          username,
          role: input.role,
          password_hash: passwordHash.value,
          created_at: core.clock.now(),
          totp_last_step: 0,
        })
        .execute();
      const detail = { username, role: input.role };
      await audit({ tx, core, call }, "operator.add", id, detail);
      return ok({ id, username });
    },
    {
      operators_username_unique: {
        code: "username_taken",
        message: `The operator ${username} already exists.`,
      },
    },
  );
}

/** The same rules as for customers. */
const usernameRules = accountOperations.register.body.properties.username;
