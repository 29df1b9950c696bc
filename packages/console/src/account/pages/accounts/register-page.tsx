import { OutcomeUnknown } from "@ironlease/client";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { sessionBegan } from "#data/session.ts";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { useWait } from "#ui/error-notice.tsx";
import { PasswordField, TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { Notice } from "#ui/notice.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { accountRoutes } from "#app/urls.ts";
import { client } from "#account/data/client.ts";
import { AccessFrame } from "#app/access-frame.tsx";
import { RecoveryCode } from "./recovery-code.tsx";

export function RegisterPage() {
  const [username, setUsername] = useState("");
  const [password, setPassword] = useState("");
  const navigate = useNavigate();
  const queries = useQueryClient();
  const register = useChange(client.register);
  const waitMs = useWait(register.error);
  if (register.data !== undefined) {
    const { username: name, recoveryCode } = register.data;
    return (
      <AccessFrame
        title="Keep your recovery code"
        lead="It is the only way back in when the password is lost, and it is shown only now."
      >
        <RecoveryCode
          username={name}
          code={recoveryCode}
          goOn="Go to your account"
          onKept={() => {
            queries.clear();
            sessionBegan(name);
            void navigate({ to: accountRoutes.overview });
          }}
        />
      </AccessFrame>
    );
  }
  return (
    <AccessFrame
      title="Make an account"
      lead="A name and a password are all it takes."
      footer={<TextLink to={accountRoutes.signIn}>Sign in to an account you have</TextLink>}
    >
      {register.error instanceof OutcomeUnknown && (
        <Notice tone="warn">
          <p>
            Try to sign in with this name. If that works, the account is there but its recovery code
            can no longer be shown: make another account instead.
          </p>
        </Notice>
      )}
      <Form
        label="Make an account"
        error={register.error}
        onSubmit={() => register.mutate({ username: username.trim(), password })}
      >
        <TextField
          name="username"
          label="Username"
          hint="3 to 32 letters, digits, hyphens or underscores, starting with a letter."
          value={username}
          onChange={setUsername}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <PasswordField
          name="password"
          label="Password"
          hint="10 characters or more."
          value={password}
          onChange={setPassword}
          autoComplete="new-password"
          required
        />
        <Button
          type="submit"
          look="primary"
          isPending={register.isPending}
          disabled={waitMs > 0 || username.trim() === "" || password === ""}
        >
          Make account
        </Button>
      </Form>
    </AccessFrame>
  );
}
