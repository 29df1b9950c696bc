import { requireFreshSignIn } from "#kernel/access/fresh-sign-in.ts";
import type { Core } from "#kernel/core.ts";
import { beginSetup, type BegunTotp, type Setup } from "#kernel/second-factor/set-up.ts";
import type { Result } from "#ports/result.ts";
import type { OperatorSessionCall } from "./authenticate-operator.ts";

/** Issues a new secret to an operator who has just signed in. It takes effect once a code confirms it. */
export async function beginTotp(core: Core, call: OperatorSessionCall): Promise<Result<BegunTotp>> {
  const recent = requireFreshSignIn(core, call.operator.signedInAt, "change the second factor");
  return recent.ok ? beginSetup(core, setupOf(call)) : recent;
}

export function setupOf(call: OperatorSessionCall): Setup<OperatorSessionCall> {
  const { operatorId, username } = call.operator;
  return {
    owner: { kind: "operator", id: operatorId, username },
    call,
    ifPresent: `The second factor is already set up. To replace it, ask someone with access to the server to run: ironleased operator reset ${username}`,
  };
}
