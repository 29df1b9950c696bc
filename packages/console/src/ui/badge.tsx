import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

export type BadgeTone = "good" | "wait" | "warn" | "bad" | "plain";

const tones: Readonly<Record<BadgeTone, string>> = {
  good: "bg-good-soft text-good",
  wait: "bg-wait-soft text-wait",
  warn: "bg-warn-soft text-warn",
  bad: "bg-bad-soft text-bad",
  plain: "bg-raised text-quiet",
};

/** A state in one word. The colour never carries meaning on its own. */
export function Badge({
  tone = "plain",
  children,
}: {
  readonly tone?: BadgeTone;
  readonly children: ReactNode;
}) {
  return (
    <span
      className={classNames(
        "inline-flex w-fit items-center gap-1.5 rounded-full px-2.5 py-0.5 text-xs font-medium whitespace-nowrap before:size-1.5 before:rounded-full before:bg-current",
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}
