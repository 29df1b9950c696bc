import type { Machine, SetControllerRequest } from "@ironlease/client/operator";
import { useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { ConfirmDialog } from "#ui/confirm-dialog.tsx";
import { Dialog, DialogActions } from "#ui/dialog.tsx";
import { PasswordField, SelectField, TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#desk/data/client.ts";
import { keys } from "#desk/data/reads.ts";

type Driver = SetControllerRequest["driver"];

const addresses: Readonly<Record<Driver, string>> = {
  redfish: "https://10.20.0.7:443",
  ipmi: "10.20.0.7:623",
};

/** Sets, replaces or removes a machine's controller. The password is never shown, so it is always typed again. */
export function ControllerDialog({
  machine: { id, assetTag, controller },
  onClose,
}: {
  readonly machine: Machine;
  readonly onClose: () => void;
}) {
  const [driver, setDriver] = useState<Driver>(controller?.driver ?? "redfish");
  const [address, setAddress] = useState(controller?.address ?? "");
  const [username, setUsername] = useState(controller?.username ?? "");
  const [credential, setCredential] = useState("");
  const [fingerprint, setFingerprint] = useState(controller?.certificateSha256 ?? "");
  const set = useChange(client.setController, [keys.machines, keys.work]);
  const remove = useChange(client.removeController, [keys.machines, keys.work]);
  const [isRemoving, setIsRemoving] = useState(false);
  const isPinned = driver === "redfish" && fingerprint.trim() !== "";
  const request: SetControllerRequest = {
    id,
    driver,
    address: address.trim(),
    username: username.trim(),
    credential,
    ...(isPinned && { certificateSha256: fingerprint.trim() }),
  };
  if (isRemoving) {
    return (
      <ConfirmDialog
        isOpen
        title={`Remove the controller of ${assetTag}?`}
        description="The service forgets its address and password. Operators then carry out requests by hand."
        confirmLabel="Remove controller"
        isDangerous
        isPending={remove.isPending}
        error={remove.error}
        onConfirm={() =>
          remove.mutate(
            { id },
            {
              onSuccess: () => {
                toast("Controller removed");
                onClose();
              },
            },
          )
        }
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog isOpen title={`Controller of ${assetTag}`} onClose={onClose}>
      <Form
        label="Controller"
        error={set.error}
        onSubmit={() =>
          set.mutate(request, {
            onSuccess: () => {
              toast("Controller saved");
              onClose();
            },
          })
        }
      >
        <SelectField
          name="driver"
          label="Driver"
          hint={driver === "ipmi" ? "Power and network boot only" : undefined}
          value={driver}
          options={[
            { value: "redfish", label: "Redfish" },
            { value: "ipmi", label: "IPMI" },
          ]}
          onChange={setDriver}
        />
        <TextField
          name="address"
          label="Address"
          hint={`IP address and port, such as ${addresses[driver]}`}
          value={address}
          onChange={setAddress}
          autoComplete="off"
          spellCheck={false}
          isMono
        />
        <TextField
          name="username"
          label="Username"
          value={username}
          onChange={setUsername}
          autoComplete="off"
          spellCheck={false}
        />
        <PasswordField
          name="credential"
          label="Password"
          hint="Encrypted, and never shown again"
          value={credential}
          onChange={setCredential}
          autoComplete="new-password"
        />
        {driver === "redfish" && (
          <TextField
            name="certificateSha256"
            label="Certificate SHA-256"
            hint="Leave empty only if a trusted authority issued the certificate"
            value={fingerprint}
            onChange={setFingerprint}
            autoComplete="off"
            spellCheck={false}
            isMono
          />
        )}
        <DialogActions>
          {controller !== null && (
            <Button variant="quiet" onClick={() => setIsRemoving(true)}>
              Remove…
            </Button>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            isPending={set.isPending}
            disabled={request.address === "" || request.username === "" || credential === ""}
          >
            Save
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
