import { isOperatorError } from "@ironlease/client/operator";
import { useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate, useSearch } from "@tanstack/react-router";
import { AccessFrame } from "#app/access-frame.tsx";
import { SignIn } from "#app/sign-in.tsx";
import { startSession } from "#data/session.ts";
import { Notice } from "#ui/notice.tsx";
import { deskRoutes } from "#app/urls.ts";
import { client } from "#desk/data/client.ts";
import { reads } from "#desk/data/reads.ts";

/** Show a countdown for a long Retry-After instead of waiting. */
const deadlineMs = 15_000;

/** Has its own URL, and replaces any page whose session ended. */
export function SignInPage({ endedFor }: { readonly endedFor: string | undefined }) {
  const search: { changed?: string } = useSearch({ strict: false });
  const enter = useEnter(endedFor);
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
      <SignIn
        endedFor={endedFor}
        signIn={async (request) => enter(await client.signInOperator(request, { deadlineMs }))}
        isFactorRequest={(error) =>
          isOperatorError(error, "signInOperator", "second_factor_required")
        }
        passkey={{
          begin: () => client.beginOperatorPasskeySignIn({ deadlineMs }),
          finish: async (credential) =>
            enter(await client.finishOperatorPasskeySignIn({ credential })),
        }}
      />
    </AccessFrame>
  );
}

/** Opens the page that the operator wanted, once signed in. */
function useEnter(endedFor: string | undefined) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  return async ({ username }: { readonly username: string }) => {
    // Never flash another operator's data.
    if (username !== endedFor) queries.removeQueries();
    await queries.query({ ...reads.operator, staleTime: 0 });
    startSession(username);
    void queries.invalidateQueries();
    if (pathname === deskRoutes.signIn) await navigate({ to: deskRoutes.overview });
  };
}
