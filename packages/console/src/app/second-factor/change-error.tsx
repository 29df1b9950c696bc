import { apiErrorOf } from "#data/api-errors.ts";
import { Button } from "#ui/button.tsx";
import { ErrorNotice } from "#ui/error-notice.tsx";

/** Whether the sign-in is too long ago to change the second factor. */
export function isStaleSignIn(error: unknown): boolean {
  return apiErrorOf(error)?.code === "conflict";
}

/** Why the second factor could not be changed, with a way to sign in again if that helps. */
export function ChangeError({
  error,
  onSignOut,
}: {
  readonly error: unknown;
  readonly onSignOut: () => void;
}) {
  if (!isStaleSignIn(error)) return <ErrorNotice error={error} />;
  return (
    <ErrorNotice
      error={error}
      title="Sign in again first"
      actions={
        <Button size="small" onClick={onSignOut}>
          Sign out
        </Button>
      }
    />
  );
}
