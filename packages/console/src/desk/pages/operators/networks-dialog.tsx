import { useState } from "react";
import { networksIn } from "#app/networks-in.ts";
import { useChange } from "#data/use-change.ts";
import { ConfirmDialog } from "#ui/confirm-dialog.tsx";
import { CheckBox, TextArea } from "#ui/field.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#desk/data/client.ts";
import { keys } from "#desk/data/reads.ts";
import { usePermissions } from "#desk/data/use-permissions.ts";
import type { OperatorDialog } from "./operator-dialog.ts";

export function NetworksDialog({ operator, onClose }: OperatorDialog) {
  const { id, username, allowedNetworks } = operator;
  const [text, setText] = useState((allowedNetworks ?? []).join("\n"));
  const [confirmLockout, setConfirmLockout] = useState(false);
  const isOwn = usePermissions().username === username;
  const change = useChange(client.changeOperator, [keys.operators, keys.operator]);
  const done = () => {
    toast(`Networks of ${username} changed`);
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen
      title={`Allowed networks of ${username}`}
      description={
        <p>
          From elsewhere, signing in is refused like a wrong password, and sessions do not work.
        </p>
      }
      confirmLabel="Save networks"
      isPending={change.isPending}
      error={change.error}
      onConfirm={() =>
        change.mutate(
          { id, allowedNetworks: networksIn(text), confirmLockout },
          { onSuccess: done },
        )
      }
      onClose={onClose}
    >
      <TextArea
        name="allowedNetworks"
        label="Networks"
        hint="One address or range per line, such as 203.0.113.0/24. Leave empty to allow any."
        value={text}
        onChange={setText}
      />
      {isOwn && (
        <CheckBox
          label="End my session if my own address is not in these networks"
          isChecked={confirmLockout}
          onChange={setConfirmLockout}
        />
      )}
    </ConfirmDialog>
  );
}
