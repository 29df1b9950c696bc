import { enableOperator } from "#features/operators/enable-operator.ts";
import { changeByName, type NameCall } from "#commands/change-by-name.ts";

export function enableOperatorCommand(call: NameCall): Promise<number> {
  return changeByName(call, enableOperator, ({ username, isChanged }) => [
    isChanged
      ? `Enabled ${username}. The password and second factor are unchanged.`
      : `${username} is not disabled.`,
  ]);
}
