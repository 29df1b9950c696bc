import { changeOperator } from "#features/operators/change-operator.ts";
import { systemCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { changeByName, type NameCall } from "#commands/change-by-name.ts";

export function enableOperatorCommand(call: NameCall): Promise<number> {
  return changeByName(call, enableOperator, ({ username, isChanged }) => [
    isChanged
      ? `Enabled ${username}. The password and second factor are unchanged.`
      : `${username} is not disabled.`,
  ]);
}

function enableOperator(core: Core, username: string) {
  return changeOperator(core, systemCall, { username }, { disabled: false });
}
