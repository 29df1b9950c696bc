import { apiErrorOf } from "#data/api-errors.ts";
import { Notice } from "#ui/notice.tsx";

/** Whether the service refused a change of passkeys because the sign-in was too long ago. */
export function isStaleSignIn(error: unknown): boolean {
  return apiErrorOf(error)?.code === "conflict";
}

export function StaleSignIn({ error }: { readonly error: unknown }) {
  return (
    <Notice tone="warn" isAnnounced title="Sign in again first">
      <p>{apiErrorOf(error)?.message}</p>
    </Notice>
  );
}
