import type { ChangeOperatorPasswordRequest } from "@ironlease/client/operator";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { signedOut } from "../../../data/session.ts";
import { useChange } from "../../../data/use-change.ts";
import { Button } from "../../../ui/button.tsx";
import { useWait } from "../../../ui/error-notice.tsx";
import { PasswordField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { deskRoutes } from "../../../urls.ts";
import { client } from "../../client.ts";

export function PasswordPanel() {
  const [currentPassword, setCurrentPassword] = useState("");
  const [newPassword, setNewPassword] = useState("");
  const change = useChangePassword();
  const waitMs = useWait(change.error);
  return (
    <Panel title="Password" description="A new one ends every session of yours, this one too.">
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
    </Panel>
  );
}

function useChangePassword() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useChange(async (request: ChangeOperatorPasswordRequest) => {
    await client.changeOperatorPassword(request);
    await navigate({ to: deskRoutes.signIn, search: { changed: "password" } });
    queries.clear();
    signedOut();
  });
}
