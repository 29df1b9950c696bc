import { changeOperator } from "#features/operators/change-operator.ts";
import { systemCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { changeByName, type NameCall } from "#commands/change-by-name.ts";

export function disableOperatorCommand(call: NameCall): Promise<number> {
  return changeByName(call, disableOperator, ({ username, isChanged }) => [
    isChanged
      ? `Disabled ${username}. All sessions have ended.`
      : `${username} is already disabled.`,
  ]);
}

function disableOperator(core: Core, username: string) {
  return changeOperator(core, systemCall, { username }, { disabled: true });
}
