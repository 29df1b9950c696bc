import { useState } from "react";
import { useChange } from "#data/use-change.ts";
import { ChoiceCards } from "#ui/choice-cards.tsx";
import { ConfirmDialog } from "#ui/confirm-dialog.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#desk/data/client.ts";
import { keys } from "#desk/data/reads.ts";
import type { Role } from "#desk/data/roles.ts";
import type { OperatorDialog } from "./operator-dialog.ts";
import { roleChoices } from "./role-choices.ts";

export function RoleDialog({ operator: { id, username, role: current }, onClose }: OperatorDialog) {
  const [role, setRole] = useState<Role>(current);
  const change = useChange(client.changeOperator, [keys.operators, keys.operator]);
  const done = () => {
    toast(`Role of ${username} changed`);
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen
      title={`Role of ${username}`}
      description={<p>Open sessions continue with the new role.</p>}
      confirmLabel="Change role"
      isBlocked={role === current}
      isPending={change.isPending}
      error={change.error}
      onConfirm={() => change.mutate({ id, role }, { onSuccess: done })}
      onClose={onClose}
    >
      <ChoiceCards<Role>
        name="role"
        label="Role"
        value={role}
        onChange={setRole}
        choices={roleChoices}
      />
    </ConfirmDialog>
  );
}
