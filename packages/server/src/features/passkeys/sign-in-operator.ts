import { endPresentedSession, issueOperatorSession } from "#kernel/access/operator-sessions.ts";
import type { Operator } from "#kernel/access/operator.ts";
import type { IssuedSession } from "#kernel/access/session-secrets.ts";
import { audit } from "#kernel/audit.ts";
import type { Client, Core } from "#kernel/core.ts";
import { allowsAddress, networksIn } from "#kernel/access/allowed-networks.ts";
import type { Result } from "#ports/result.ts";
import { provePasskey, type PasskeySignIn } from "./prove-passkey.ts";

interface SignedInOperator extends IssuedSession, Pick<Operator, "username" | "role"> {}

/** Starts an operator's session, given a passkey. It replaces password and second factor. */
export function signInOperatorByPasskey(
  core: Core,
  client: Client,
  input: PasskeySignIn,
): Promise<Result<SignedInOperator>> {
  return provePasskey(core, client, input, {
    side: "operator",
    lock: async (tx, operatorId) => {
      const found = await tx
        .selectFrom("operators")
        .select(["id as operatorId", "username", "role", "allowed_networks as networks"])
        .where("id", "=", operatorId)
        .where("disabled_at", "is", null)
        .forNoKeyUpdate()
        .executeTakeFirst();
      if (found === undefined) return undefined;
      const { networks, ...operator } = found;
      return allowsAddress(networksIn(networks), client.ipAddress) ? operator : undefined;
    },
    start: async (tx, operator, { id: passkeyId }) => {
      const step = { tx, core, call: { operator, client } };
      if (input.presentedSessionToken !== undefined) {
        await endPresentedSession(step, input.presentedSessionToken);
      }
      await audit(step, "operator.sign_in", operator.operatorId, { passkeyId });
      const { username, role } = operator;
      return { username, role, ...(await issueOperatorSession(step)) };
    },
  });
}
