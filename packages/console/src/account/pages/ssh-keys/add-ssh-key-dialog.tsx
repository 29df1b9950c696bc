import { useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { Dialog, DialogActions } from "#ui/dialog.tsx";
import { TextArea, TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";

export function AddSshKeyDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState("");
  const [publicKey, setPublicKey] = useState("");
  const add = useChange(client.addSshKey, [reads.sshKeys.queryKey]);
  return (
    <Dialog
      isOpen
      title="Add SSH key"
      description={<p>Paste the public key: the line in the file that ends in .pub.</p>}
      onClose={onClose}
    >
      <Form
        label="Add SSH key"
        error={add.error}
        onSubmit={() =>
          add.mutate(
            { name: name.trim(), publicKey: publicKey.trim() },
            {
              onSuccess: () => {
                onClose();
                toast("SSH key added");
              },
            },
          )
        }
      >
        <TextField
          name="name"
          label="Name"
          placeholder="Laptop"
          value={name}
          onChange={(text) => setName(text)}
          autoComplete="off"
        />
        <TextArea
          name="publicKey"
          label="Public key"
          placeholder="ssh-ed25519 AAAA… you@example"
          value={publicKey}
          onChange={setPublicKey}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            isPending={add.isPending}
            disabled={name.trim() === "" || publicKey.trim() === ""}
          >
            Add SSH key
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
