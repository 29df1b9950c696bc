import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { signedOut } from "../../../data/session.ts";
import { useChange } from "../../../data/use-change.ts";
import { Button } from "../../../ui/button.tsx";
import { useWait } from "../../../ui/error-notice.tsx";
import { PasswordField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Panel } from "../../../ui/panel.tsx";
import { accountRoutes } from "../../../urls.ts";
import { client } from "../../client.ts";

export function PasswordPanel() {
  const [currentPassword, setCurrentPassword] = useState("");
  const [newPassword, setNewPassword] = useState("");
  const change = useChangePassword();
  const waitMs = useWait(change.error);
  return (
    <Panel title="Password">
      <div className="flex max-w-md flex-col gap-5">
        <Notice tone="warn">
          <p>
            A new password ends every session, this one too, and every API key. The recovery code
            stays as it is.
          </p>
        </Notice>
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
      </div>
    </Panel>
  );
}

function useChangePassword() {
  const queries = useQueryClient();
  const navigate = useNavigate();
  return useChange(async (request: { currentPassword: string; newPassword: string }) => {
    await client.changePassword(request);
    await navigate({ to: accountRoutes.signIn, search: { changed: "password" } });
    queries.clear();
    signedOut();
  });
}
