import { useEffect, useRef } from "react";
import { Button } from "#ui/button.tsx";
import { Notice } from "#ui/notice.tsx";
import { hasPasskeys } from "./browser.ts";
import { PasskeyButton, type PasskeyCeremony } from "./passkey-sign-in.tsx";

/** Replaces the desk's sign-in form once the password was right and only a passkey completes the sign-in. */
export function PasskeyStep({
  onBack,
  ...ceremony
}: PasskeyCeremony & { readonly onBack: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <div className="flex flex-col gap-4">
      {hasPasskeys() ? (
        <Notice title="Use your passkey" isAnnounced>
          <p>Your password is correct. Confirm with your passkey to sign in.</p>
        </Notice>
      ) : (
        <Notice tone="warn" title="This browser cannot use passkeys" isAnnounced>
          <p>Your password is correct. Sign in with a browser that supports your passkey.</p>
        </Notice>
      )}
      <PasskeyButton {...ceremony} ref={button} variant="primary" />
      <Button variant="quiet" onClick={onBack}>
        Start over
      </Button>
      <p className="text-sm text-quiet">
        If you have lost your passkey, ask an admin to run{" "}
        <code className="font-mono">ironleased operator reset</code>.
      </p>
    </div>
  );
}
