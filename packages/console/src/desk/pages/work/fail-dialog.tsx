import type { FailWorkRequest, WorkItem } from "@ironlease/client/operator";
import { useState } from "react";
import { SelectField, type Option } from "#ui/field.tsx";
import { client } from "#desk/data/client.ts";
import { ReasonDialog } from "#desk/shared/reason-dialog.tsx";
import { kinds } from "#desk/shared/work-kinds.tsx";
import { useWorkStep } from "./use-work-step.ts";

type MachineState = NonNullable<FailWorkRequest["machineState"]>;

const machineStates: readonly Option<MachineState>[] = [
  { value: "DIRTY", label: "Dirty: inspect and wipe it first" },
  { value: "RETIRED", label: "Retired: take it out of service" },
  { value: "FREE", label: "Free: it can be rented again now" },
];

export function FailDialog({
  item: { id, kind },
  onClose,
}: {
  readonly item: WorkItem;
  readonly onClose: () => void;
}) {
  const { fail: confirmLabel, failing } = kinds[kind];
  const fail = useWorkStep((request: FailWorkRequest) => client.failWork(request));
  const [machineState, setMachineState] = useState<MachineState>("DIRTY");
  return (
    <ReasonDialog
      title={`${confirmLabel}?`}
      description={failing}
      confirmLabel={confirmLabel}
      isDangerous
      isPending={fail.isPending}
      error={fail.error}
      onConfirm={(reason) =>
        fail.mutate(
          { id, reason, ...(kind === "PROVISION" && { machineState }) },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      {kind === "PROVISION" && (
        <SelectField
          name="machineState"
          label="Machine"
          value={machineState}
          options={machineStates}
          onChange={setMachineState}
        />
      )}
    </ReasonDialog>
  );
}
