import { OutcomeUnknown } from "@ironlease/client";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { startSession } from "#data/session.ts";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { useRetryDelay } from "#ui/error-notice.tsx";
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
  const waitMs = useRetryDelay(register.error);
  if (register.data !== undefined) {
    const { username: name, recoveryCode } = register.data;
    return (
      <AccessFrame
        title="Save your recovery code"
        lead="It is the only way back in if you lose your password. It is shown only once."
      >
        <RecoveryCode
          username={name}
          code={recoveryCode}
          continueLabel="Continue to your account"
          onContinue={() => {
            queries.clear();
            startSession(name);
            void navigate({ to: accountRoutes.overview });
          }}
        />
      </AccessFrame>
    );
  }
  return (
    <AccessFrame
      title="Create account"
      lead="All you need is a username and a password."
      footer={<TextLink to={accountRoutes.signIn}>Already have an account? Sign in</TextLink>}
    >
      {register.error instanceof OutcomeUnknown && (
        <Notice tone="warn">
          <p>
            Try to sign in with this username. If that works, the account exists, but its recovery
            code cannot be shown again: create another account instead.
          </p>
        </Notice>
      )}
      <Form
        label="Create account"
        error={register.error}
        onSubmit={() => register.mutate({ username: username.trim(), password })}
      >
        <TextField
          name="username"
          label="Username"
          hint="3 to 32 letters, digits, hyphens or underscores. Starts with a letter."
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
          hint="At least 10 characters"
          value={password}
          onChange={setPassword}
          autoComplete="new-password"
          required
        />
        <Button
          type="submit"
          variant="primary"
          isPending={register.isPending}
          disabled={waitMs > 0 || username.trim() === "" || password === ""}
        >
          Create account
        </Button>
      </Form>
    </AccessFrame>
  );
}
