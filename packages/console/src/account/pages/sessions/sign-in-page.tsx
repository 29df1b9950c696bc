import { isError } from "@ironlease/client";
import { useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { SignIn } from "#app/sign-in.tsx";
import { startSession } from "#data/session.ts";
import { Notice } from "#ui/notice.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { accountRoutes } from "#app/urls.ts";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";
import { AccessFrame } from "#app/access-frame.tsx";

/** Show a countdown for a long Retry-After instead of waiting. */
const deadlineMs = 15_000;

/** Has its own URL, and replaces any page whose session ended. */
export function SignInPage({ endedFor }: { readonly endedFor: string | undefined }) {
  const search: { changed?: string } = useSearch({ strict: false });
  const enter = useEnter(endedFor);
  return (
    <AccessFrame
      title="Sign in"
      footer={
        <>
          <TextLink to={accountRoutes.register}>Create account</TextLink>
          <TextLink to={accountRoutes.recover}>Use a recovery code</TextLink>
        </>
      }
    >
      {search.changed === "password" && (
        <Notice tone="good" title="Password changed">
          <p>All sessions and API keys have ended. Sign in with your new password.</p>
        </Notice>
      )}
      {search.changed === "closed" && (
        <Notice tone="good" title="Account closed">
          <p>Your personal data is erased. Anyone can register the username again.</p>
        </Notice>
      )}
      {endedFor !== undefined && (
        <Notice tone="info" title="Your session ended">
          <p>Sign in to continue. What you typed is still here.</p>
        </Notice>
      )}
      <SignIn
        endedFor={endedFor}
        signIn={async (request) => enter(await client.signIn(request, { deadlineMs }))}
        isFactorRequest={(error) => isError(error, "signIn", "second_factor_required")}
        passkey={{
          begin: () => client.beginPasskeySignIn({ deadlineMs }),
          finish: async (credential) => enter(await client.finishPasskeySignIn({ credential })),
        }}
      />
    </AccessFrame>
  );
}

/** Opens the page that the user wanted, once signed in. */
function useEnter(endedFor: string | undefined) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  return async ({ username }: { readonly username: string }) => {
    // Never flash another user's data.
    if (username !== endedFor) queries.removeQueries();
    await queries.query({ ...reads.account, staleTime: 0 });
    startSession(username);
    void queries.invalidateQueries();
    if (pathname === accountRoutes.signIn) await navigate({ to: accountRoutes.overview });
  };
}
