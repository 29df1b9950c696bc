import { useEffect, useState } from "react";
import { Button } from "#ui/button.tsx";
import { CopyButton } from "#ui/copy-button.tsx";
import { download } from "#ui/download.ts";
import { CheckBox } from "#ui/field.tsx";
import { Download } from "#ui/icons.ts";

/** Shows the code once. The user must confirm having saved it before continuing. */
export function RecoveryCode({
  username,
  code,
  continueLabel,
  onContinue,
}: {
  readonly username: string;
  readonly code: string;

  readonly continueLabel: string;
  readonly onContinue: () => void;
}) {
  const [isSaved, setIsSaved] = useState(false);
  useEffect(() => {
    if (isSaved) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isSaved]);
  return (
    <div className="flex flex-col gap-5">
      <p
        aria-label="Recovery code"
        role="group"
        className="rounded-md border border-line bg-raised p-4 text-center font-mono text-lg text-balance wrap-anywhere select-all"
      >
        {code}
      </p>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={code} what="code" />
        <Button
          size="small"
          icon={<Download aria-hidden className="size-4" />}
          onClick={() =>
            download(`ironlease-recovery-code-${username}.txt`, "text/plain", `${code}\n`)
          }
        >
          Download
        </Button>
      </div>
      <CheckBox
        label="I have saved this code in a safe place"
        isChecked={isSaved}
        onChange={setIsSaved}
      />
      <Button variant="primary" disabled={!isSaved} onClick={onContinue}>
        {continueLabel}
      </Button>
    </div>
  );
}
