import { Check, Copy } from "./icons.ts";
import { useEffect, useState } from "react";
import { Button, IconButton } from "./button.tsx";

const shownForMs = 2_000;

function useCopy(text: string) {
  const [state, setState] = useState<"ready" | "copied" | "failed">("ready");
  useEffect(() => {
    if (state === "ready") return undefined;
    const timer = setTimeout(() => setState("ready"), shownForMs);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setState("copied"),
      () => setState("failed"),
    );
  };
  return { state, copy };
}

function Icon({ isCopied }: { readonly isCopied: boolean }) {
  const StateIcon = isCopied ? Check : Copy;
  return <StateIcon aria-hidden className="size-4" />;
}

function CopyStatus({ state }: { readonly state: "ready" | "copied" | "failed" }) {
  const labels = { ready: "", copied: "Copied", failed: "Copy failed" } as const;
  return (
    <span role="status" className="sr-only">
      {labels[state]}
    </span>
  );
}

/** Copies a value; `what` names it: "Copy address". */
export function CopyButton({ text, what }: { readonly text: string; readonly what: string }) {
  const { state, copy } = useCopy(text);
  const labels = { ready: `Copy ${what}`, copied: "Copied", failed: "Copy failed" } as const;
  return (
    <>
      <Button size="small" onClick={copy} icon={<Icon isCopied={state === "copied"} />}>
        {labels[state]}
      </Button>
      <CopyStatus state={state} />
    </>
  );
}

export function CopyIconButton({ text, what }: { readonly text: string; readonly what: string }) {
  const { state, copy } = useCopy(text);
  return (
    <>
      <IconButton
        label={`Copy ${what}`}
        onClick={copy}
        icon={<Icon isCopied={state === "copied"} />}
      />
      <CopyStatus state={state} />
    </>
  );
}

/** A value with a copy button: an address, a key, an id. */
export function CopyValue({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <code className="min-w-0 font-mono text-sm wrap-anywhere">{text}</code>
      {/* The button is larger than its icon. The line stays as high as one without it, and ends with the icon. */}
      <span className="-my-2 -mr-2.5 -ml-1.5 flex">
        <CopyIconButton text={text} what={what} />
      </span>
    </span>
  );
}
