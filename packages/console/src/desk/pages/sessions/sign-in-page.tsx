import { isOperatorError, type SignInOperatorRequest } from "@ironlease/client/operator";
import { useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { AccessFrame } from "#app/access-frame.tsx";
import { sessionBegan } from "#data/session.ts";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { useWait } from "#ui/error-notice.tsx";
import { PasswordField, TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { Notice } from "#ui/notice.tsx";
import { deskRoutes } from "#app/urls.ts";
import { client } from "#desk/data/client.ts";
import { reads } from "#desk/data/reads.ts";

/** A refusal with a long wait is shown with its countdown instead of being waited for. */
const deadlineMs = 15_000;

/** Stands at its own address, and in place of any page whose session has ended. */
export function SignInPage({ endedFor }: { readonly endedFor: string | undefined }) {
  const [username, setUsername] = useState(endedFor ?? "");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [isCodeAsked, setIsCodeAsked] = useState(false);
  const codeField = useRef<HTMLInputElement>(null);
  const search: { changed?: string } = useSearch({ strict: false });
  const signIn = useSignIn(endedFor);
  const wait = useWait(signIn.error);
  // That a code is needed is no error: it is the second half of the same form.
  const isAsking = isOperatorError(signIn.error, "signInOperator", "second_factor_required");
  if (isAsking && !isCodeAsked) setIsCodeAsked(true);
  useEffect(() => {
    if (isCodeAsked) codeField.current?.focus();
  }, [isCodeAsked]);
  const isWhole = username.trim() !== "" && password !== "" && (!isCodeAsked || code.trim() !== "");
  return (
    <AccessFrame title="Sign in to the desk" brandSuffix="desk">
      {search.changed === "password" && (
        <Notice tone="good" title="Your password is changed">
          <p>Every session of yours has ended. Sign in with the new password.</p>
        </Notice>
      )}
      {endedFor !== undefined && (
        <Notice tone="info" title="Your session has ended">
          <p>Sign in to go on where you were. What you had typed is still there.</p>
        </Notice>
      )}
      <Form
        label="Sign in"
        error={isAsking ? null : signIn.error}
        onSubmit={() => {
          if (!isWhole) return;
          const totp = isCodeAsked ? { totp: code.trim() } : {};
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
        {isCodeAsked && (
          <TextField
            ref={codeField}
            name="totp"
            label="Code"
            hint="From your authenticator app, or one of your recovery codes."
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
          look="primary"
          isPending={signIn.isPending}
          disabled={wait > 0 || !isWhole}
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
    // What another operator saw must not flash up before one's own is there.
    if (username !== endedFor) queries.removeQueries();
    await queries.query({ ...reads.operator, staleTime: 0 });
    sessionBegan(username);
    void queries.invalidateQueries();
    if (pathname === deskRoutes.signIn) await navigate({ to: deskRoutes.front });
  });
}
