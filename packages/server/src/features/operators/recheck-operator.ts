import type { Core } from "#kernel/core.ts";
import { isLive } from "#kernel/access/session-secrets.ts";
import { networksIn } from "#kernel/access/allowed-networks.ts";
import { operatorHasPasskey } from "#kernel/passkeys/operator-has-passkey.ts";
import type { Tx } from "#ports/db.ts";
import { preparedCommand, preparedOne } from "#kernel/sql/prepared.ts";
import { secondFactorOf, type OperatorSession } from "./authenticate-operator.ts";

/** Not FOR SHARE: two requests of one operator that both change the row would deadlock when they upgrade the lock. */
const holdOperator = preparedCommand(["operatorId"], (tx, { operatorId }: { operatorId: string }) =>
  tx.selectFrom("operators").select("id").where("id", "=", operatorId).forNoKeyUpdate(),
);

const findSession = preparedOne(["sessionId"], (db, { sessionId }: { sessionId: string }) =>
  db
    .selectFrom("operator_sessions as s")
    .innerJoin("operators as o", "o.id", "s.operator_id")
    .select([
      "o.role",
      "o.totp_secret as totpSecret",
      "o.allowed_networks as networks",
      operatorHasPasskey.as("hasPasskey"),
      "s.last_seen_at as lastSeenAt",
      "s.ends_at as endsAt",
    ])
    .where("s.id", "=", sessionId)
    .where("o.disabled_at", "is", null),
);

/** The operator as of this transaction. Undefined once the session has ended. */
export async function recheckOperator(
  core: Core,
  tx: Tx,
  session: OperatorSession,
): Promise<OperatorSession | undefined> {
  await holdOperator(tx, session);
  const found = await findSession(tx, session);
  if (found === undefined || !isLive(core, { ...session, ...found })) return undefined;
  return {
    ...session,
    role: found.role,
    allowedNetworks: networksIn(found.networks),
    secondFactor: secondFactorOf(core, found.role, found),
  };
}
