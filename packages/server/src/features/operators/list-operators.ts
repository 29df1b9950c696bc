import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";
import type { OperatorRole } from "#ports/schema.ts";

export interface ListedOperator {
  readonly username: string;
  readonly role: OperatorRole;
  readonly hasSecondFactor: boolean;
  readonly disabledAt: number | null;
  /** The last request or audited action. Null for an operator who has never signed in. */
  readonly lastSeenAt: number | null;
}

/** More operators than any provider has. */
export const maxOperators = 1_000;

/** Every operator, by name. The last use of an ended session is read from the audit log. */
export async function listOperators(core: Core): Promise<readonly ListedOperator[]> {
  const rows = await core.db.read
    .selectFrom("operators as o")
    .select(["o.username", "o.role", "o.totp_secret", "o.disabled_at as disabledAt"])
    .select([
      sql<
        number | null
      >`(select max(last_seen_at) from operator_sessions where operator_id = o.id)`.as("seenAt"),
      sql<number | null>`(select max(at) from audit where actor = o.id)`.as("actedAt"),
    ])
    .orderBy("o.username")
    .limit(maxOperators)
    .execute();
  return rows.map(({ totp_secret, seenAt, actedAt, ...row }) => ({
    ...row,
    hasSecondFactor: totp_secret !== null,
    lastSeenAt: seenAt === null && actedAt === null ? null : Math.max(seenAt ?? 0, actedAt ?? 0),
  }));
}
