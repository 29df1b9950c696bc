import { useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
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
import { reads } from "#account/data/reads.ts";
import { AccessFrame } from "#app/access-frame.tsx";

/** A refusal with a long wait is shown with its countdown instead of being waited for. */
const deadlineMs = 15_000;

/** Stands at its own address, and in place of any page whose session has ended. */
export function SignInPage({ endedFor }: { readonly endedFor: string | undefined }) {
  const [username, setUsername] = useState(endedFor ?? "");
  const [password, setPassword] = useState("");
  const search: { changed?: string } = useSearch({ strict: false });
  const signIn = useSignIn(endedFor);
  const wait = useWait(signIn.error);
  return (
    <AccessFrame
      title="Sign in"
      footer={
        <>
          <TextLink to={accountRoutes.register}>Make an account</TextLink>
          <TextLink to={accountRoutes.recover}>Use a recovery code</TextLink>
        </>
      }
    >
      {search.changed === "password" && (
        <Notice tone="good" title="Your password is changed">
          <p>Every session and API key has ended. Sign in with the new password.</p>
        </Notice>
      )}
      {endedFor !== undefined && (
        <Notice tone="info" title="Your session has ended">
          <p>Sign in to go on where you were. What you had typed is still there.</p>
        </Notice>
      )}
      <Form
        label="Sign in"
        error={signIn.error}
        onSubmit={() => signIn.mutate({ username: username.trim(), password })}
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
        <Button
          type="submit"
          look="primary"
          isPending={signIn.isPending}
          disabled={wait > 0 || username.trim() === "" || password === ""}
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
  return useChange(async (request: { username: string; password: string }) => {
    const { username } = await client.signIn(request, { deadlineMs });
    // Somebody else's numbers must not flash up before their own are there.
    if (username !== endedFor) queries.removeQueries();
    await queries.query({ ...reads.account, staleTime: 0 });
    sessionBegan(username);
    void queries.invalidateQueries();
    if (pathname === accountRoutes.signIn) await navigate({ to: accountRoutes.overview });
  });
}
