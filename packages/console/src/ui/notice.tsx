import { CircleAlert, CircleCheck, Info, TriangleAlert } from "./icons.ts";
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

export type Tone = "info" | "good" | "warn" | "bad";

const tones = {
  info: { look: "border-wait/30 bg-wait-soft", colour: "text-wait", Icon: Info },
  good: { look: "border-good/30 bg-good-soft", colour: "text-good", Icon: CircleCheck },
  warn: { look: "border-warn/30 bg-warn-soft", colour: "text-warn", Icon: TriangleAlert },
  bad: { look: "border-bad/30 bg-bad-soft", colour: "text-bad", Icon: CircleAlert },
} as const;

/** Something that a reader should know. `isNews` when it has just come up: it is then read aloud. */
export function Notice({
  tone = "info",
  title,
  children,
  actions,
  isNews = false,
  className,
}: {
  readonly tone?: Tone;
  readonly title?: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  readonly isNews?: boolean;
  readonly className?: string;
}) {
  const { look, colour, Icon } = tones[tone];
  const role = tone === "bad" || tone === "warn" ? "alert" : "status";
  return (
    <div
      role={isNews ? role : undefined}
      className={classNames("flex gap-3 rounded-lg border p-4 text-sm", look, className)}
    >
      <Icon aria-hidden className={classNames("mt-0.5 size-4.5 shrink-0", colour)} />
      <div className="flex min-w-0 grow flex-col gap-1">
        {title !== undefined && <p className="font-semibold">{title}</p>}
        {children !== undefined && <div className="flex flex-col gap-2">{children}</div>}
        {actions !== undefined && <div className="mt-2 flex flex-wrap gap-2">{actions}</div>}
      </div>
    </div>
  );
}
