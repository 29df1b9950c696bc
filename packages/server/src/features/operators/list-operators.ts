import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";
import { networksIn } from "#kernel/access/allowed-networks.ts";
import { operatorHasPasskey } from "#kernel/passkeys/operator-has-passkey.ts";
import type { OperatorRole } from "#ports/schema.ts";

export interface ListedOperator {
  readonly id: string;
  readonly username: string;
  readonly role: OperatorRole;
  readonly createdAt: number;
  /** An authenticator app or a passkey. */
  readonly hasSecondFactor: boolean;
  readonly disabledAt: number | null;
  /** Null: anywhere. */
  readonly allowedNetworks: readonly string[] | null;
  /** Null for an operator who has never signed in. */
  readonly lastSignInAt: number | null;
  /** The last request or audited action. Null for an operator who has never signed in. */
  readonly lastSeenAt: number | null;
}

/** More operators than any provider has. */
export const maxOperators = 1_000;

/** Every operator, by name. What ended sessions did is read from the audit log. */
export async function listOperators(core: Core): Promise<readonly ListedOperator[]> {
  const rows = await operatorRows(core).orderBy("o.username").limit(maxOperators).execute();
  return rows.map(toOperator);
}

/** Operators who are not disabled, by name. */
export function listAssignees(
  core: Core,
): Promise<{ readonly username: string; readonly role: OperatorRole }[]> {
  return core.db.read
    .selectFrom("operators")
    .select(["username", "role"])
    .where("disabled_at", "is", null)
    .orderBy("username")
    .limit(maxOperators)
    .execute();
}

export async function readOperator(core: Core, id: string): Promise<ListedOperator | undefined> {
  const row = await operatorRows(core).where("o.id", "=", id).executeTakeFirst();
  return row && toOperator(row);
}

/** Ids sort by time, so the audit's index by actor and id finds the latest entries. */
function operatorRows(core: Core) {
  return core.db.read
    .selectFrom("operators as o")
    .select(["o.id", "o.username", "o.role", "o.created_at as createdAt"])
    .select(["o.totp_secret", "o.disabled_at as disabledAt", "o.allowed_networks as networks"])
    .select([
      operatorHasPasskey.as("hasPasskey"),
      sql<
        number | null
      >`(select max(last_seen_at) from operator_sessions where operator_id = o.id)`.as("seenAt"),
      sql<number | null>`(select at from audit where actor = o.id order by id desc limit 1)`.as(
        "actedAt",
      ),
      sql<
        number | null
      >`(select at from audit where actor = o.id and action = 'operator.sign_in' order by id desc limit 1)`.as(
        "lastSignInAt",
      ),
    ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof operatorRows>["executeTakeFirstOrThrow"]>>;

function toOperator({
  totp_secret,
  hasPasskey,
  networks,
  seenAt,
  actedAt,
  ...row
}: Row): ListedOperator {
  return {
    ...row,
    hasSecondFactor: totp_secret !== null || hasPasskey === 1,
    allowedNetworks: networksIn(networks),
    lastSeenAt: seenAt === null && actedAt === null ? null : Math.max(seenAt ?? 0, actedAt ?? 0),
  };
}
