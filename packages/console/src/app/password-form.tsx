import { useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { useWait } from "#ui/error-notice.tsx";
import { PasswordField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";

interface PasswordChange {
  readonly currentPassword: string;
  readonly newPassword: string;
}

/** Changing a password, whoever's it is: `change` sends it, and leads to the sign-in. */
export function PasswordForm(props: {
  readonly change: (request: PasswordChange) => Promise<void>;
}) {
  const [currentPassword, setCurrentPassword] = useState("");
  const [newPassword, setNewPassword] = useState("");
  const change = useChange(props.change);
  const waitMs = useWait(change.error);
  return (
    <Form
      label="Change the password"
      error={change.error}
      onSubmit={() => change.mutate({ currentPassword, newPassword })}
    >
      <PasswordField
        name="currentPassword"
        label="Current password"
        value={currentPassword}
        onChange={setCurrentPassword}
        autoComplete="current-password"
      />
      <PasswordField
        name="newPassword"
        label="New password"
        hint="10 characters or more."
        value={newPassword}
        onChange={setNewPassword}
        autoComplete="new-password"
      />
      <div>
        <Button
          type="submit"
          look="primary"
          isPending={change.isPending}
          disabled={waitMs > 0 || currentPassword === "" || newPassword === ""}
        >
          Change password and sign out
        </Button>
      </div>
    </Form>
  );
}
