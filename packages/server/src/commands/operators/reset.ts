import { resetOperator } from "#features/operators/reset-operator.ts";
import { changeByName, type NameCall } from "#commands/change-by-name.ts";
import { systemCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { passwordLines } from "./password-lines.ts";

/** Sets a new password, which is printed once, and removes the second factor. */
export function resetOperatorCommand(call: NameCall): Promise<number> {
  return changeByName(call, reset, ({ username, password, isDisabled }) => [
    `Reset ${username}. All sessions have ended, and the second factor must be set up again.`,
    ...passwordLines(password),
    ...(isDisabled
      ? [`${username} is still disabled. To enable: ironleased operator enable ${username}`]
      : []),
  ]);
}

function reset(core: Core, username: string) {
  return resetOperator(core, systemCall, { username });
}
