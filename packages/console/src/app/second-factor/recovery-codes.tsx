import { useEffect, useState } from "react";
import { Button } from "#ui/button.tsx";
import { CopyButton } from "#ui/copy-button.tsx";
import { download } from "#ui/download.ts";
import { CheckBox } from "#ui/field.tsx";
import { Download } from "#ui/icons.ts";
import { Notice } from "#ui/notice.tsx";

/** Shows the codes once. The user must confirm having saved them before continuing. */
export function RecoveryCodes({
  fileName,
  codes,
  onContinue,
}: {
  /** Of the downloaded codes. */
  readonly fileName: string;
  readonly codes: readonly string[];
  readonly onContinue: () => void;
}) {
  const [isSaved, setIsSaved] = useState(false);
  useEffect(() => {
    if (isSaved) return undefined;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [isSaved]);
  const text = `${codes.join("\n")}\n`;
  return (
    <div className="flex flex-col gap-5">
      <Notice tone="good" isAnnounced title="Second factor turned on">
        <p>
          You now need a code to sign in. If you lose your authenticator, each of these recovery
          codes works once. They are not shown again.
        </p>
      </Notice>
      <ul
        aria-label="Recovery codes"
        className="grid grid-cols-[repeat(auto-fill,minmax(min(16rem,100%),1fr))] gap-x-6 gap-y-1 rounded-md border border-line bg-raised p-4 font-mono text-sm select-all"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <CopyButton text={text} what="codes" />
        <Button
          size="small"
          icon={<Download aria-hidden className="size-4" />}
          onClick={() => download(fileName, "text/plain", text)}
        >
          Download
        </Button>
      </div>
      <CheckBox
        label="I have saved these codes in a safe place"
        isChecked={isSaved}
        onChange={setIsSaved}
      />
      <Button variant="primary" disabled={!isSaved} onClick={onContinue}>
        Continue
      </Button>
    </div>
  );
}
