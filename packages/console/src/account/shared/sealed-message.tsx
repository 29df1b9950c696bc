import type { ReadThreadAnswer } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { Button } from "#ui/button.tsx";
import { CopyButton, CopyIconButton } from "#ui/copy-button.tsx";
import { download } from "#ui/download.ts";
import { Download, KeyRound } from "#ui/icons.ts";
import { Time } from "#ui/time.tsx";
import { IdText } from "#ui/id-text.tsx";
import { reads } from "#account/data/reads.ts";

export type Sealed = NonNullable<ReadThreadAnswer["messages"][number]["sealed"]>;

const fileName = "ironlease-message.age";

/** A message that only a private key of the customer opens, outside this page. */
export function SealedMessage({
  threadId,
  messageId,
  sealed,
}: {
  readonly threadId: string;
  readonly messageId: string;
  readonly sealed: Sealed;
}) {
  const { ciphertext, fingerprint, expiresAt } = sealed;
  const { data } = useQuery(reads.sshKeys);
  const key = data?.sshKeys.find((candidate) => candidate.fingerprint === fingerprint);
  const identity = key?.publicKey.startsWith("ssh-rsa") ? "id_rsa" : "id_ed25519";
  return (
    <div className="flex flex-col gap-4 pt-1 text-sm">
      <div className="flex flex-col gap-1">
        <p className="flex items-center gap-2 font-medium">
          <KeyRound aria-hidden className="size-4 shrink-0 text-quiet" />
          <span className="min-w-0 wrap-anywhere">
            Encrypted to your SSH key{key === undefined ? "" : ` ${key.name}`}
          </span>
        </p>
        <IdText id={fingerprint} what="fingerprint" />
      </div>
      {ciphertext === null ? (
        <p>
          It expired{" "}
          {expiresAt !== null && (
            <>
              on <Time at={expiresAt} />{" "}
            </>
          )}
          and was erased. Ask the operators to send it again.
        </p>
      ) : (
        <>
          <div className="flex flex-wrap gap-2">
            <Button
              size="small"
              icon={<Download aria-hidden className="size-4" />}
              onClick={() => download(fileName, "text/plain", ciphertext)}
            >
              Download
            </Button>
            <CopyButton text={ciphertext} what="encrypted text" />
          </div>
          <div className="flex flex-col gap-2">
            <p>Open it where your private key is, with age or with the ironlease command:</p>
            <ShellLine line={`age -d -i ~/.ssh/${identity} ${fileName}`} what="age command" />
            <ShellLine
              line={`ironlease message open ${threadId} ${messageId}`}
              what="ironlease command"
            />
          </div>
          {expiresAt !== null && (
            <p className="text-quiet">
              The service erases it on <Time at={expiresAt} />.
            </p>
          )}
        </>
      )}
    </div>
  );
}

function ShellLine({ line, what }: { readonly line: string; readonly what: string }) {
  return (
    <div className="flex items-center justify-between gap-2 rounded-md border border-line bg-raised py-1 pr-1 pl-3">
      <code className="min-w-0 py-1 font-mono text-xs wrap-anywhere">{line}</code>
      <CopyIconButton text={line} what={what} />
    </div>
  );
}
