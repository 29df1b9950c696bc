import type { Role } from "@ironlease/contract";
import { changeOperator } from "#features/operators/change-operator.ts";
import { systemCall } from "#kernel/call.ts";
import { changeByName } from "#commands/change-by-name.ts";
import type { Call } from "#commands/command.ts";

type RoleCall = Call<{ readonly name: string; readonly role: Role }>;

export function changeRoleCommand(call: RoleCall): Promise<number> {
  const { role } = call.args;
  return changeByName(
    call,
    (core, username) => changeOperator(core, systemCall, { username }, { role }),
    ({ username, isChanged }) => [
      isChanged ? `${username} now has role ${role}.` : `${username} already has role ${role}.`,
    ],
  );
}
