import type { ReadAnyThreadAnswer } from "@ironlease/client/operator";
import { KeyRound } from "#ui/icons.ts";
import { Time } from "#ui/time.tsx";

type Sealed = NonNullable<ReadAnyThreadAnswer["messages"][number]["sealed"]>;

/** What operators see of a sealed message: its key and its expiry. */
export function SealedNote({
  sealed: { ciphertext, fingerprint, expiresAt },
  sshKeys,
}: {
  readonly sealed: Sealed;
  readonly sshKeys: ReadAnyThreadAnswer["sshKeys"];
}) {
  const name = sshKeys.find((key) => key.fingerprint === fingerprint)?.name;
  return (
    <div className="flex flex-col gap-1 text-sm">
      <p className="flex items-center gap-2">
        <KeyRound aria-hidden className="size-4 shrink-0 text-quiet" />
        <span className="min-w-0 wrap-anywhere">
          Encrypted to {name === undefined ? "an SSH key" : `the SSH key ${name}`} of the customer
        </span>
      </p>
      <code className="font-mono text-xs break-all text-quiet">{fingerprint}</code>
      {expiresAt !== null && (
        <p className="text-quiet">
          {ciphertext === null ? "Erased on" : "Will be erased on"} <Time at={expiresAt} />
        </p>
      )}
    </div>
  );
}
