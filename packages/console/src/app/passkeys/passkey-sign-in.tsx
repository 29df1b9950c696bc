import type { Ref } from "react";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { ErrorNotice, useRetryDelay } from "#ui/error-notice.tsx";
import { KeyRound } from "#ui/icons.ts";
import { askForPasskey, hasPasskeys, type Assertion } from "./browser.ts";

export interface PasskeyCeremony {
  readonly begin: () => Promise<{ readonly options: object }>;
  /** Sends the browser's answer and opens the page. */
  readonly finish: (credential: Assertion) => Promise<void>;
}

/** Offers to sign in without a password, where the browser can. */
export function PasskeySignIn(ceremony: PasskeyCeremony) {
  if (!hasPasskeys()) return null;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-center gap-3 text-sm text-quiet">
        <span aria-hidden className="h-px grow bg-line" />
        or
        <span aria-hidden className="h-px grow bg-line" />
      </div>
      <PasskeyButton {...ceremony} />
    </div>
  );
}

/** Asks the browser for a passkey and signs in with it. */
export function PasskeyButton({
  begin,
  finish,
  ref,
  variant = "secondary",
}: PasskeyCeremony & {
  readonly ref?: Ref<HTMLButtonElement>;
  readonly variant?: "primary" | "secondary";
}) {
  const signIn = useChange(async () => {
    const { options } = await begin();
    const credential = await askForPasskey(options);
    if (credential !== undefined) await finish(credential);
  });
  const wait = useRetryDelay(signIn.error);
  if (!hasPasskeys()) return null;
  return (
    <>
      {signIn.error !== null && <ErrorNotice error={signIn.error} />}
      <Button
        ref={ref}
        variant={variant}
        icon={<KeyRound aria-hidden className="size-4" />}
        isPending={signIn.isPending}
        disabled={wait > 0}
        onClick={() => signIn.mutate()}
      >
        Use a passkey
      </Button>
    </>
  );
}
