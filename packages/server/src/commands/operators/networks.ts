import { UsageError } from "@ironlease/command-line";
import { changeOperator } from "#features/operators/change-operator.ts";
import { readNetworks } from "#kernel/access/allowed-networks.ts";
import { systemCall } from "#kernel/call.ts";
import { changeByName } from "#commands/change-by-name.ts";
import type { Call } from "#commands/command.ts";

type NetworksCall = Call<{ readonly name: string }, { readonly only: string | undefined }>;

/** Limits an operator to networks, or lifts the limit. */
export function setNetworksCommand(call: NetworksCall): Promise<number> {
  const allowedNetworks = networksIn(call.options.only);
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

function networksIn(list: string | undefined): readonly string[] | null {
  const read = readNetworks(
    list === undefined ? null : list.split(",").map((network) => network.trim()),
  );
  if (read.ok) return read.value;
  const [field] = read.refusal.fields ?? [];
  throw new UsageError(
    `--only ${field?.message ?? "is wrong"}.`,
    "ironleased operator networks --help",
  );
}
