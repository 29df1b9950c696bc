import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuseField } from "#kernel/result.ts";
import type { Operator } from "./operator.ts";

/** The enabled operator who is to take care of something, or null for no one. */
export async function findAssignee(
  tx: Tx,
  username: string | null,
): Promise<Result<Operator | null>> {
  if (username === null) return ok(null);
  const operator = await tx
    .selectFrom("operators")
    .select(["id as operatorId", "username", "role"])
    .where("username", "=", username.toLowerCase())
    .where("disabled_at", "is", null)
    .executeTakeFirst();
  return operator === undefined
    ? refuseField("operator", "must be the username of an enabled operator")
    : ok(operator);
}
