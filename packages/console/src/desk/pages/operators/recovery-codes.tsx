import { useEffect, useState } from "react";
import { Button } from "#ui/button.tsx";
import { CopyButton } from "#ui/copy-button.tsx";
import { downloadText } from "#ui/download.ts";
import { CheckBox } from "#ui/field.tsx";
import { Download } from "#ui/icons.ts";
import { Notice } from "#ui/notice.tsx";

/** Shown this once, and in memory only: they must be kept before one goes on. */
export function RecoveryCodes({
  username,
  codes,
  onKept,
}: {
  readonly username: string;
  readonly codes: readonly string[];
  readonly onKept: () => void;
}) {
  const [isKept, setIsKept] = useState(false);
  useEffect(() => {
    if (isKept) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isKept]);
  const text = `${codes.join("\n")}\n`;
  return (
    <div className="flex flex-col gap-5">
      <Notice tone="good" isNews title="The second factor is on">
        <p>
          From now on signing in asks for a code. Each of these recovery codes does once in its
          place, when the authenticator is lost. They are shown this once.
        </p>
      </Notice>
      <ul
        aria-label="Recovery codes"
        className="grid gap-x-6 gap-y-1 rounded-md border border-line bg-raised p-4 font-mono text-sm select-all sm:grid-cols-2"
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
          onClick={() => downloadText(`ironlease-desk-codes-${username}.txt`, "text/plain", text)}
        >
          Download
        </Button>
      </div>
      <CheckBox
        label="I have kept these codes somewhere safe."
        isChecked={isKept}
        onChange={setIsKept}
      />
      <Button look="primary" disabled={!isKept} onClick={onKept}>
        Go on
      </Button>
    </div>
  );
}
