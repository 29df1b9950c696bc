import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { useRetryDelay } from "#ui/error-notice.tsx";
import { PasswordField, TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { accountRoutes } from "#app/urls.ts";
import { client } from "#account/data/client.ts";
import { AccessFrame } from "#app/access-frame.tsx";
import { RecoveryCode } from "./recovery-code.tsx";

export function RecoverPage() {
  const [username, setUsername] = useState("");
  const [recoveryCode, setRecoveryCode] = useState("");
  const [newPassword, setNewPassword] = useState("");
  const navigate = useNavigate();
  const recover = useChange(client.recover);
  const waitMs = useRetryDelay(recover.error);
  if (recover.data !== undefined) {
    return (
      <AccessFrame
        title="Save your new recovery code"
        lead="Your password was changed, and all sessions and API keys have ended. This code replaces the one you used. It is shown only once."
      >
        <RecoveryCode
          username={username.trim()}
          code={recover.data.recoveryCode}
          continueLabel="Sign in"
          onContinue={() => void navigate({ to: accountRoutes.signIn })}
        />
      </AccessFrame>
    );
  }
  return (
    <AccessFrame
      title="Use a recovery code"
      lead="Set a new password. This ends all sessions and API keys of the account."
      footer={<TextLink to={accountRoutes.signIn}>Back to sign in</TextLink>}
    >
      <Form
        label="Use a recovery code"
        error={recover.error}
        onSubmit={() =>
          recover.mutate({
            username: username.trim(),
            recoveryCode: recoveryCode.trim(),
            newPassword,
          })
        }
      >
        <TextField
          name="username"
          label="Username"
          value={username}
          onChange={setUsername}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <TextField
          name="recoveryCode"
          label="Recovery code"
          value={recoveryCode}
          onChange={setRecoveryCode}
          autoComplete="off"
          spellCheck={false}
          isMono
          required
        />
        <PasswordField
          name="newPassword"
          label="New password"
          hint="At least 10 characters"
          value={newPassword}
          onChange={setNewPassword}
          autoComplete="new-password"
          required
        />
        <Button
          type="submit"
          variant="primary"
          isPending={recover.isPending}
          disabled={
            waitMs > 0 || [username, recoveryCode, newPassword].some((value) => value.trim() === "")
          }
        >
          Set new password
        </Button>
      </Form>
    </AccessFrame>
  );
}
