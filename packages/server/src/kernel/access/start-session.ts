import { audit, type AuditDetail } from "#kernel/audit.ts";
import type { CustomerCall, Step } from "#kernel/call.ts";
import { endSessionOfToken, issueSession } from "./account-sessions.ts";
import { noteNetwork } from "./seen-networks.ts";
import { hashSecret } from "./secrets.ts";
import type { IssuedSession } from "./session-secrets.ts";

/** Signs in the account, which the caller has verified and locked. The session that came with the request ends. */
export async function startSession(
  step: Step<CustomerCall>,
  presentedSessionToken: string | undefined,
  detail: AuditDetail = {},
): Promise<IssuedSession> {
  if (presentedSessionToken !== undefined) await endPresented(step, presentedSessionToken);
  await noteNetwork(step);
  await audit(step, "session.start", step.call.accountId, detail);
  return issueSession(step);
}

/** Audited under the session's own account, because the browser may have been signed in to another account. */
async function endPresented({ tx, core, call }: Step, token: string): Promise<void> {
  const ended = await endSessionOfToken(tx, hashSecret(token));
  if (ended === undefined) return;
  const step = { tx, core, call: { accountId: ended.accountId, client: call.client } };
  await audit(step, "session.end", ended.id, { cause: "sign_in" });
}
