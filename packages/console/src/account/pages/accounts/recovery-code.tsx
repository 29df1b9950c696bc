import { useEffect, useState } from "react";
import { Button } from "#ui/button.tsx";
import { CopyButton } from "#ui/copy-button.tsx";
import { downloadText } from "#ui/download.ts";
import { CheckBox } from "#ui/field.tsx";
import { Download } from "#ui/icons.ts";

/** Shown this once, and in memory only: it must be kept before one goes on. */
export function RecoveryCode({
  username,
  code,
  goOn,
  onKept,
}: {
  readonly username: string;
  readonly code: string;
  /** What the button that goes on says. */
  readonly goOn: string;
  readonly onKept: () => void;
}) {
  const [isKept, setIsKept] = useState(false);
  useEffect(() => {
    if (isKept) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isKept]);
  return (
    <div className="flex flex-col gap-5">
      <p
        aria-label="Recovery code"
        role="group"
        className="rounded-md border border-line bg-raised p-4 text-center font-mono text-lg break-all select-all"
      >
        {code}
      </p>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={code} what="code" />
        <Button
          size="small"
          icon={<Download aria-hidden className="size-4" />}
          onClick={() =>
            downloadText(`ironlease-recovery-code-${username}.txt`, "text/plain", `${code}\n`)
          }
        >
          Download
        </Button>
      </div>
      <CheckBox
        label="I have kept this code somewhere safe."
        isChecked={isKept}
        onChange={setIsKept}
      />
      <Button look="primary" disabled={!isKept} onClick={onKept}>
        {goOn}
      </Button>
    </div>
  );
}
