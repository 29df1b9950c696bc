import type { ChangeMachineRequest, Machine } from "@ironlease/client/operator";
import { useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { Dialog, DialogActions } from "#ui/dialog.tsx";
import { SelectField, TextArea, TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { Notice } from "#ui/notice.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#desk/data/client.ts";
import { keys } from "#desk/data/reads.ts";
import { machineStateWord } from "#desk/shared/machine-state.tsx";
import { changesOf, typedOf, type Typed } from "./machine-changes.ts";

type Settable = NonNullable<ChangeMachineRequest["state"]>;
const settable: readonly Settable[] = ["FREE", "DIRTY", "RETIRED"];

/** Edits the record, and the state unless the machine is reserved or assigned. */
export function ChangeMachineDialog({
  machine,
  onClose,
}: {
  readonly machine: Machine;
  readonly onClose: () => void;
}) {
  const { id, assetTag, state } = machine;
  const isBusy = state === "RESERVED" || state === "ASSIGNED";
  const [typed, setTyped] = useState(typedOf(machine));
  const [next, setNext] = useState<Settable | "">(isBusy ? "" : state);
  const change = useChange(client.changeMachine, [keys.machines, keys.overview, keys.work]);
  const changes = {
    ...changesOf(machine, typed),
    ...(next === "" || next === state ? {} : { state: next }),
  };
  const isChanged = Object.keys(changes).length > 0;
  const text = (name: keyof Typed, label: string, hint?: string) => (
    <TextField
      name={name}
      label={label}
      hint={hint}
      value={typed[name]}
      onChange={(value) => setTyped({ ...typed, [name]: value })}
      autoComplete="off"
      spellCheck={false}
      isMono
    />
  );
  return (
    <Dialog isOpen title={`Edit ${assetTag}`} onClose={onClose}>
      <Form
        label="Edit machine"
        error={change.error}
        onSubmit={() => {
          if (isChanged)
            change.mutate(
              { id, ...changes },
              {
                onSuccess: () => {
                  toast("Machine saved");
                  onClose();
                },
              },
            );
        }}
      >
        {text("assetTag", "Asset tag")}
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
        <div className="grid gap-5 sm:grid-cols-2">
          {text("rack", "Rack")}
          {text("unit", "Unit", "The lowest that the machine occupies")}
          {text("serialNumber", "Serial number")}
          {text("switchPort", "Switch port")}
        </div>
        <TextArea
          name="macAddresses"
          label="MAC addresses"
          hint="In the order of the interfaces, separated by spaces"
          rows={2}
          value={typed.macAddresses}
          onChange={(macAddresses) => setTyped({ ...typed, macAddresses })}
        />
        <TextArea
          name="notes"
          label="Notes"
          hint="For operators only. Not a place for passwords."
          rows={3}
          isProse
          value={typed.notes}
          onChange={(notes) => setTyped({ ...typed, notes })}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            isPending={change.isPending}
            disabled={!isChanged || typed.assetTag.trim() === ""}
          >
            Save
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
