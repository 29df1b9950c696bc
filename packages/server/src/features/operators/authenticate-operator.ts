import type { OperatorCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import type { Operator } from "#kernel/access/operator.ts";
import { touchOperatorSession } from "#kernel/access/operator-sessions.ts";
import { networksIn } from "#kernel/access/allowed-networks.ts";
import { operatorHasPasskey } from "#kernel/passkeys/operator-has-passkey.ts";
import { secretsOf } from "#kernel/access/secrets.ts";
import type { Tx } from "#ports/db.ts";
import { preparedLookup } from "#kernel/sql/prepared.ts";
import { ok } from "#kernel/result.ts";
import type { OperatorRole } from "#ports/schema.ts";

export interface OperatorSession extends Operator {
  readonly sessionId: string;
  /** When the operator last signed in, with password and second factor or with a passkey. */
  readonly signedInAt: number;
  /** Null: anywhere. */
  readonly allowedNetworks: readonly string[] | null;
  /** `required` when the role needs a second factor and none is set up. */
  readonly secondFactor: "on" | "off" | "required";
}

/** A call with the session it came in. */
export interface OperatorSessionCall extends OperatorCall {
  readonly operator: OperatorSession;
}

const maxTouchEveryMs = 60_000;

const findSession = preparedLookup(["tokenHash"], (db, { tokenHash }: { tokenHash: string }) =>
  db
    .selectFrom("operator_sessions as s")
    .innerJoin("operators as o", "o.id", "s.operator_id")
    .select([
      "s.id as sessionId",
      "s.created_at as signedInAt",
      "o.id as operatorId",
      "o.username",
      "o.role",
      "o.totp_secret as totpSecret",
      "o.allowed_networks as networks",
      operatorHasPasskey.as("hasPasskey"),
      "s.last_seen_at as lastSeenAt",
      "s.ends_at as endsAt",
    ])
    .where("s.token_hash", "=", tokenHash)
    .where("o.disabled_at", "is", null),
);

/** Finds the valid session of an enabled operator. */
export async function authenticateOperator(
  core: Core,
  sessionToken: string,
): Promise<OperatorSession | undefined> {
  const now = core.clock.now();
  const found = await findSession(core.db.read, { tokenHash: secretsOf(sessionToken).tokenHash });
  if (found === undefined) return undefined;
  const { totpSecret, hasPasskey, networks, lastSeenAt: storedAt, endsAt, ...session } = found;
  const { sessionIdleMs } = core.rules;
  const lastSeenAt = core.lastUse.latest(session.sessionId, storedAt);
  if (now >= endsAt || now >= lastSeenAt + sessionIdleMs) return undefined;
  const touchEveryMs = Math.min(maxTouchEveryMs, sessionIdleMs / 4);
  if (now >= lastSeenAt + touchEveryMs) {
    core.lastUse.note(session.sessionId, now, (at) => storeUse(core, session, at, touchEveryMs));
  }
  const secondFactor = secondFactorOf(core, session.role, { totpSecret, hasPasskey });
  return { ...session, allowedNetworks: networksIn(networks), secondFactor };
}

/** Roles that reach money and customers' accounts need more than a password. */
export function secondFactorOf(
  core: Core,
  role: OperatorRole,
  { totpSecret, hasPasskey }: { readonly totpSecret: string | null; readonly hasPasskey: number },
): OperatorSession["secondFactor"] {
  if (totpSecret !== null || hasPasskey === 1) return "on";
  return needsSecondFactor(core, role) ? "required" : "off";
}

export function needsSecondFactor(core: Core, role: OperatorRole): boolean {
  return core.rules.needsSecondFactor && role !== "support";
}

function storeUse(
  core: Core,
  { sessionId, operatorId }: Pick<OperatorSession, "sessionId" | "operatorId">,
  now: number,
  everyMs: number,
): Promise<unknown> {
  const touch = async (tx: Tx) => {
    await touchOperatorSession(tx, { sessionId, now, everyMs });
    return ok();
  };
  return core.db.write(touch, undefined, operatorId);
}
