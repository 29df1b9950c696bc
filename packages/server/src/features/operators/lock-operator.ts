import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse } from "#kernel/result.ts";

/** Finds the operator with this username and locks the row. */
export async function lockOperator(
  tx: Tx,
  username: string,
): Promise<Result<{ readonly id: string; readonly username: string; disabledAt: number | null }>> {
  const found = await tx
    .selectFrom("operators")
    .select(["id", "username", "disabled_at as disabledAt"])
    .where("username", "=", username.toLowerCase())
    .forNoKeyUpdate()
    .executeTakeFirst();
  return found === undefined
    ? refuse("not_found", {
        message: `There is no operator ${username}. To list the operators, run: ironleased operator list`,
      })
    : ok(found);
}
