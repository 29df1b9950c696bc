import type { WorkItem } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmDialog } from "#ui/confirm-dialog.tsx";
import { SelectField } from "#ui/field.tsx";
import { assignees } from "#desk/data/assignees.ts";
import { isRoleAtLeast, workRoles } from "#desk/data/roles.ts";
import { usePermissions } from "#desk/data/use-permissions.ts";

/** Chooses an operator whose role allows every one of the items. */
export function AssignDialog({
  items,
  error,
  isPending,
  onAssign,
  onClose,
}: {
  readonly items: readonly WorkItem[];
  readonly error: unknown;
  readonly isPending: boolean;
  readonly onAssign: (operator: string | null) => void;
  readonly onClose: () => void;
}) {
  const { username = "" } = usePermissions();
  const [operator, setOperator] = useState(username);
  const { data, error: loadError } = useQuery(assignees);
  const able = (data?.operators ?? []).filter(({ role }) =>
    items.every(({ kind }) => isRoleAtLeast(role, workRoles[kind])),
  );
  return (
    <ConfirmDialog
      isOpen
      title={items.length === 1 ? "Assign this item" : `Assign ${items.length} items`}
      description={<p>The operator finds it under Mine. Others can still claim it.</p>}
      confirmLabel="Assign"
      isPending={isPending}
      isBlocked={data === undefined}
      error={error ?? loadError}
      onConfirm={() => onAssign(operator === "" ? null : operator)}
      onClose={onClose}
    >
      <SelectField
        name="operator"
        label="Operator"
        hint="Operators whose role allows this work."
        value={operator}
        options={[
          { value: "", label: "No one" },
          ...able.map(({ username: value, role }) => ({
            value,
            label: value === username ? `${value} (you)` : `${value}, ${role}`,
          })),
        ]}
        onChange={setOperator}
      />
    </ConfirmDialog>
  );
}
