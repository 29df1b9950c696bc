import { isOperatorError, type SignInOperatorRequest } from "@ironlease/client/operator";
import { useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { AccessFrame } from "#app/access-frame.tsx";
import { startSession } from "#data/session.ts";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { useRetryDelay } from "#ui/error-notice.tsx";
import { PasswordField, TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { Notice } from "#ui/notice.tsx";
import { deskRoutes } from "#app/urls.ts";
import { client } from "#desk/data/client.ts";
import { reads } from "#desk/data/reads.ts";

/** Show a countdown for a long Retry-After instead of waiting. */
const deadlineMs = 15_000;

/** Has its own URL, and replaces any page whose session ended. */
export function SignInPage({ endedFor }: { readonly endedFor: string | undefined }) {
  const [username, setUsername] = useState(endedFor ?? "");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [isCodeRequired, setIsCodeRequired] = useState(false);
  const codeField = useRef<HTMLInputElement>(null);
  const search: { changed?: string } = useSearch({ strict: false });
  const signIn = useSignIn(endedFor);
  const wait = useRetryDelay(signIn.error);
  // Not an error: the form then also asks for the code.
  const isCodeRequest = isOperatorError(signIn.error, "signInOperator", "second_factor_required");
  if (isCodeRequest && !isCodeRequired) setIsCodeRequired(true);
  useEffect(() => {
    if (isCodeRequired) codeField.current?.focus();
  }, [isCodeRequired]);
  const isComplete =
    username.trim() !== "" && password !== "" && (!isCodeRequired || code.trim() !== "");
  return (
    <AccessFrame title="Sign in to the desk" brandSuffix="desk">
      {search.changed === "password" && (
        <Notice tone="good" title="Password changed">
          <p>All your sessions have ended. Sign in with your new password.</p>
        </Notice>
      )}
      {endedFor !== undefined && (
        <Notice tone="info" title="Your session ended">
          <p>Sign in to continue. What you typed is still here.</p>
        </Notice>
      )}
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
            hint="From your authenticator app, or one of your recovery codes"
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
    </AccessFrame>
  );
}

function useSignIn(endedFor: string | undefined) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  return useChange(async (request: SignInOperatorRequest) => {
    const { username } = await client.signInOperator(request, { deadlineMs });
    // Never flash another operator's data.
    if (username !== endedFor) queries.removeQueries();
    await queries.query({ ...reads.operator, staleTime: 0 });
    startSession(username);
    void queries.invalidateQueries();
    if (pathname === deskRoutes.signIn) await navigate({ to: deskRoutes.overview });
  });
}
