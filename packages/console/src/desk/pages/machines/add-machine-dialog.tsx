import { useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { Dialog, DialogActions } from "#ui/dialog.tsx";
import { SelectField, TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#desk/data/client.ts";
import { keys } from "#desk/data/reads.ts";
import { useCatalogueChoices } from "#desk/shared/catalogue-choices.ts";

/** Asset tags are unique, so a double click cannot add a machine twice. */
export function AddMachineDialog({ onClose }: { readonly onClose: () => void }) {
  const { regions, configurations } = useCatalogueChoices();
  const [assetTag, setAssetTag] = useState("");
  const [configId, setConfigId] = useState("");
  const [regionId, setRegionId] = useState("");
  const add = useChange(client.addMachines, [keys.machines, keys.overview]);
  const machine = {
    assetTag: assetTag.trim(),
    configId: configId === "" ? (configurations[0]?.value ?? "") : configId,
    regionId: regionId === "" ? (regions[0]?.value ?? "") : regionId,
  };
  return (
    <Dialog isOpen title="Add machine" onClose={onClose}>
      <Form
        label="Add machine"
        error={add.error}
        onSubmit={() =>
          add.mutate(machine, {
            onSuccess: () => {
              toast(`${machine.assetTag} added`);
              onClose();
            },
          })
        }
      >
        <TextField
          name="assetTag"
          label="Asset tag"
          hint="The label on the machine"
          value={assetTag}
          onChange={setAssetTag}
          autoComplete="off"
          spellCheck={false}
          isMono
        />
        <SelectField
          name="configId"
          label="Configuration"
          value={machine.configId}
          options={configurations}
          onChange={setConfigId}
        />
        <SelectField
          name="regionId"
          label="Region"
          hint="Must offer the configuration"
          value={machine.regionId}
          options={regions}
          onChange={setRegionId}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            isPending={add.isPending}
            disabled={machine.assetTag === ""}
          >
            Add machine
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
