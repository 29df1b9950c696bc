import type { ChangeMachineRequest, Machine } from "@ironlease/client/operator";
import { useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { Dialog, DialogActions } from "#ui/dialog.tsx";
import { SelectField, TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { Notice } from "#ui/notice.tsx";
import { client } from "#desk/data/client.ts";
import { keys } from "#desk/data/reads.ts";
import { machineStateWord } from "#desk/shared/machine-state.tsx";

type Settable = NonNullable<ChangeMachineRequest["state"]>;
const settable: readonly Settable[] = ["FREE", "DIRTY", "RETIRED"];

/** Edits the asset tag, and the state unless the machine is reserved or assigned. */
export function ChangeMachineDialog({
  machine: { id, assetTag, state },
  onClose,
}: {
  readonly machine: Machine;
  readonly onClose: () => void;
}) {
  const isBusy = state === "RESERVED" || state === "ASSIGNED";
  const [tag, setTag] = useState(assetTag);
  const [next, setNext] = useState<Settable | "">(isBusy ? "" : state);
  const change = useChange(client.changeMachine, [keys.machines, keys.overview, keys.work]);
  const request: ChangeMachineRequest = {
    id,
    ...(tag.trim() === assetTag ? {} : { assetTag: tag.trim() }),
    ...(next === "" || next === state ? {} : { state: next }),
  };
  const isChanged = request.assetTag !== undefined || request.state !== undefined;
  return (
    <Dialog isOpen title={`Edit ${assetTag}`} onClose={onClose}>
      <Form
        label="Edit machine"
        error={change.error}
        onSubmit={() => {
          if (isChanged) change.mutate(request, { onSuccess: onClose });
        }}
      >
        <TextField
          name="assetTag"
          label="Asset tag"
          value={tag}
          onChange={setTag}
          autoComplete="off"
          spellCheck={false}
          isMono
        />
        {isBusy ? (
          <Notice>
            <p>
              This machine is {machineStateWord(state).toLowerCase()}. Its order or server
              determines the state.
            </p>
          </Notice>
        ) : (
          <SelectField
            name="state"
            label="State"
            hint={
              state === "DIRTY"
                ? "Choose Free once its disks are wiped. This completes the item in the queue."
                : "Choose Dirty to have the machine wiped."
            }
            value={next}
            options={settable.map((value) => ({ value, label: machineStateWord(value) }))}
            onChange={setNext}
          />
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            isPending={change.isPending}
            disabled={!isChanged || tag.trim() === ""}
          >
            Save
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
