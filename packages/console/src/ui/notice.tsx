import { CircleAlert, CircleCheck, Info, TriangleAlert } from "./icons.ts";
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";

export type Tone = "info" | "good" | "warn" | "bad";

const tones = {
  info: { frame: "border-wait/30 bg-wait-soft", colour: "text-wait", Icon: Info },
  good: { frame: "border-good/30 bg-good-soft", colour: "text-good", Icon: CircleCheck },
  warn: { frame: "border-warn/30 bg-warn-soft", colour: "text-warn", Icon: TriangleAlert },
  bad: { frame: "border-bad/30 bg-bad-soft", colour: "text-bad", Icon: CircleAlert },
} as const;

/** A message to the user. `isAnnounced` makes screen readers read it when it appears. */
export function Notice({
  tone = "info",
  title,
  children,
  actions,
  isAnnounced = false,
  className,
}: {
  readonly tone?: Tone;
  readonly title?: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  readonly isAnnounced?: boolean;
  readonly className?: string;
}) {
  const { frame, colour, Icon } = tones[tone];
  const role = tone === "bad" || tone === "warn" ? "alert" : "status";
  return (
    <div
      role={isAnnounced ? role : undefined}
      className={classNames("flex gap-3 rounded-lg border p-4 text-sm", frame, className)}
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
