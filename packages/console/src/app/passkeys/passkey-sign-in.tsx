import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { ErrorNotice, useRetryDelay } from "#ui/error-notice.tsx";
import { KeyRound } from "#ui/icons.ts";
import { askForPasskey, hasPasskeys, type Assertion } from "./browser.ts";

/** A button that signs in without a password, where the browser can. */
export function PasskeySignIn({
  begin,
  finish,
}: {
  readonly begin: () => Promise<{ readonly options: object }>;
  /** Sends the browser's answer and opens the page. */
  readonly finish: (credential: Assertion) => Promise<void>;
}) {
  const signIn = useChange(async () => {
    const { options } = await begin();
    const credential = await askForPasskey(options);
    if (credential !== undefined) await finish(credential);
  });
  const wait = useRetryDelay(signIn.error);
  if (!hasPasskeys()) return null;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-center gap-3 text-sm text-quiet">
        <span aria-hidden className="h-px grow bg-line" />
        or
        <span aria-hidden className="h-px grow bg-line" />
      </div>
      {signIn.error !== null && <ErrorNotice error={signIn.error} />}
      <Button
        icon={<KeyRound aria-hidden className="size-4" />}
        isPending={signIn.isPending}
        disabled={wait > 0}
        onClick={() => signIn.mutate()}
      >
        Use a passkey
      </Button>
    </div>
  );
}
