import { useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { useRetryDelay } from "#ui/error-notice.tsx";
import { PasswordField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";

interface PasswordChange {
  readonly currentPassword: string;
  readonly newPassword: string;
}

/** Changes a customer's or an operator's password. `change` sends the request and opens the sign-in page. */
export function PasswordForm(props: {
  readonly change: (request: PasswordChange) => Promise<void>;
}) {
  const [currentPassword, setCurrentPassword] = useState("");
  const [newPassword, setNewPassword] = useState("");
  const change = useChange(props.change);
  const waitMs = useRetryDelay(change.error);
  return (
    <Form
      label="Change password"
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
        hint="At least 10 characters"
        value={newPassword}
        onChange={setNewPassword}
        autoComplete="new-password"
      />
      <div>
        <Button
          type="submit"
          variant="primary"
          isPending={change.isPending}
          disabled={waitMs > 0 || currentPassword === "" || newPassword === ""}
        >
          Change password and sign out
        </Button>
      </div>
    </Form>
  );
}
