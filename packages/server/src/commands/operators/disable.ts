import { disableOperator } from "#features/operators/disable-operator.ts";
import { changeByName, type NameCall } from "#commands/change-by-name.ts";

export function disableOperatorCommand(call: NameCall): Promise<number> {
  return changeByName(call, disableOperator, ({ username, isChanged }) => [
    isChanged
      ? `Disabled ${username}. All sessions have ended.`
      : `${username} is already disabled.`,
  ]);
}
