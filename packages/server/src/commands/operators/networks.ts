import { changeOperator } from "#features/operators/change-operator.ts";
import { systemCall } from "#kernel/call.ts";
import { changeByName } from "#commands/change-by-name.ts";
import type { Call } from "#commands/command.ts";

type NetworksCall = Call<{ readonly name: string }, { readonly only: string | undefined }>;

/** Limits an operator to networks, or lifts the limit. */
export function setNetworksCommand(call: NetworksCall): Promise<number> {
  const { only } = call.options;
  const allowedNetworks = only === undefined ? null : only.split(",");
  return changeByName(
    call,
    (core, username) => changeOperator(core, systemCall, { username }, { allowedNetworks }),
    ({ username }) => [
      allowedNetworks === null
        ? `${username} may sign in from anywhere.`
        : `${username} may sign in from ${allowedNetworks.join(", ")} only.`,
    ],
  );
}
