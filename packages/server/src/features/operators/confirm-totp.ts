import { endOtherOperatorSessions } from "#kernel/access/operator-sessions.ts";
import type { Core } from "#kernel/core.ts";
import { confirmSetup, type ConfirmedTotp } from "#kernel/second-factor/set-up.ts";
import type { Result } from "#ports/result.ts";
import type { OperatorSessionCall } from "./authenticate-operator.ts";
import { setupOf } from "./begin-totp.ts";

/** Activates the second factor. All other sessions end, because they were started without it. */
export async function confirmTotp(
  core: Core,
  call: OperatorSessionCall,
  code: string,
): Promise<Result<ConfirmedTotp>> {
  const { operatorId, sessionId } = call.operator;
  return confirmSetup(core, setupOf(call), code, ({ tx }) =>
    endOtherOperatorSessions(tx, operatorId, sessionId),
  );
}
