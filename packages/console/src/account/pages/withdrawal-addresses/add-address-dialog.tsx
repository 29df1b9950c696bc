import { useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { Dialog, DialogActions } from "#ui/dialog.tsx";
import { SelectField, TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";
import { assetLabel, assetOrder, type Asset } from "#account/shared/assets.ts";

export function AddAddressDialog({ onClose }: { readonly onClose: () => void }) {
  const [asset, setAsset] = useState<Asset>("BTC");
  const [destination, setDestination] = useState("");
  const [label, setLabel] = useState("");
  const add = useChange(client.addWithdrawalAddress, [reads.withdrawalAddresses.queryKey]);
  return (
    <Dialog
      isOpen
      title="Save withdrawal address"
      description={<p>While withdrawals are locked, the address becomes usable after 48 hours.</p>}
      onClose={onClose}
    >
      <Form
        label="Save withdrawal address"
        error={add.error}
        onSubmit={() =>
          add.mutate(
            { asset, destination: destination.trim(), label: label.trim() },
            {
              onSuccess: () => {
                onClose();
                toast("Withdrawal address saved");
              },
            },
          )
        }
      >
        <SelectField<Asset>
          name="asset"
          label="Currency"
          value={asset}
          options={assetOrder.map((value) => ({ value, label: assetLabel(value) }))}
          onChange={setAsset}
        />
        <TextField
          name="destination"
          label={`Your ${asset} address`}
          hint="Double-check the address. Payments cannot be reversed."
          value={destination}
          onChange={setDestination}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          isMono
        />
        <TextField
          name="label"
          label="Label"
          placeholder="Cold wallet"
          value={label}
          onChange={setLabel}
          maxLength={64}
          autoComplete="off"
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            isPending={add.isPending}
            disabled={destination.trim() === ""}
          >
            Save address
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
