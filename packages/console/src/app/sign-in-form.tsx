import { useEffect, useRef, useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { useRetryDelay } from "#ui/error-notice.tsx";
import { PasswordField, TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";

export interface SignInRequest {
  readonly username: string;
  readonly password: string;
  readonly totp?: string;
}

/** Signs in a customer or an operator. Asks for the code of the second factor once the service requires it. */
export function SignInForm({
  endedFor,
  signIn: send,
  isCodeRequest: isCodeError,
}: {
  /** The username of the session that ended, if one did. */
  readonly endedFor: string | undefined;
  readonly signIn: (request: SignInRequest) => Promise<void>;
  /** Whether the error asks for a code. */
  readonly isCodeRequest: (error: unknown) => boolean;
}) {
  const [username, setUsername] = useState(endedFor ?? "");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [isCodeRequired, setIsCodeRequired] = useState(false);
  const codeField = useRef<HTMLInputElement>(null);
  const signIn = useChange(send);
  const wait = useRetryDelay(signIn.error);
  // Not an error: the form then also asks for the code.
  const isCodeRequest = isCodeError(signIn.error);
  if (isCodeRequest && !isCodeRequired) setIsCodeRequired(true);
  useEffect(() => {
    if (isCodeRequired) codeField.current?.focus();
  }, [isCodeRequired]);
  const isComplete =
    username.trim() !== "" && password !== "" && (!isCodeRequired || code.trim() !== "");
  return (
    <Form
      label="Sign in"
      error={isCodeRequest ? null : signIn.error}
      onSubmit={() => {
        if (!isComplete) return;
        const totp = isCodeRequired ? { totp: code.trim() } : {};
        signIn.mutate({ username: username.trim(), password, ...totp });
      }}
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
      <PasswordField
        name="password"
        label="Password"
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
        required
      />
      {isCodeRequired && (
        <TextField
          ref={codeField}
          name="totp"
          label="Authentication code"
          hint="From your authenticator app, or a recovery code."
          value={code}
          onChange={setCode}
          autoComplete="one-time-code"
          spellCheck={false}
          isMono
          required
        />
      )}
      <Button
        type="submit"
        variant="primary"
        isPending={signIn.isPending}
        disabled={wait > 0 || !isComplete}
      >
        Sign in
      </Button>
    </Form>
  );
}
