import { useState } from "react";
import { SecretDialog } from "#app/secret-dialog.tsx";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { ChoiceCards } from "#ui/choice-cards.tsx";
import { Dialog, DialogActions } from "#ui/dialog.tsx";
import { TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { client } from "#desk/data/client.ts";
import { keys } from "#desk/data/reads.ts";
import type { Role } from "#desk/data/roles.ts";
import { roleChoices } from "./role-choices.ts";

export function AddOperatorDialog({ onClose }: { readonly onClose: () => void }) {
  const [username, setUsername] = useState("");
  const [role, setRole] = useState<Role>("support");
  const add = useChange(client.addOperator, [keys.operators]);
  if (add.data !== undefined) {
    return (
      <PasswordDialog username={add.data.username} password={add.data.password} onClose={onClose} />
    );
  }
  return (
    <Dialog isOpen title="Add operator" onClose={onClose}>
      <Form
        label="Add operator"
        error={add.error}
        onSubmit={() => add.mutate({ username: username.trim(), role })}
      >
        <TextField
          name="username"
          label="Username"
          value={username}
          onChange={setUsername}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <ChoiceCards<Role>
          name="role"
          label="Role"
          value={role}
          onChange={setRole}
          choices={roleChoices}
        />
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            isPending={add.isPending}
            disabled={username.trim() === ""}
          >
            Add operator
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

/** Shows a new password once, for the admin to hand over. */
export function PasswordDialog({
  username,
  password,
  onClose,
}: {
  readonly username: string;
  readonly password: string;
  readonly onClose: () => void;
}) {
  return (
    <SecretDialog
      title={`Password of ${username}`}
      advice="Give it to the operator now, who should change it after the first sign-in. It is shown only once."
      what="password"
      secret={password}
      savedLabel="I have handed over this password"
      onClose={onClose}
    />
  );
}
