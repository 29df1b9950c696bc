import type { WorkItem } from "@ironlease/client/operator";
import { classNames } from "#ui/class-names.ts";
import { Timer } from "#ui/icons.ts";
import { remainingText, useNow } from "#ui/time.tsx";

/** Soon enough to finish a sentence and renew. */
const soonMs = 5 * 60_000;

/** Whose it is and for how long: when it runs out, anybody may take the work. */
export function LeaseClock({
  item: { claimedBy, leaseUntil },
  isMine,
}: {
  readonly item: WorkItem;
  readonly isMine: boolean;
}) {
  const now = useNow(1_000);
  if (leaseUntil === null) return null;
  const leftMs = Math.max(0, Date.parse(leaseUntil) - now);
  const isSoon = leftMs < soonMs;
  return (
    <span
      role="timer"
      aria-label={isMine ? "Your claim ends in" : `${claimedBy ?? "Another operator"} holds it for`}
      title={`until ${leaseUntil.slice(0, 10)} ${leaseUntil.slice(11, 19)} UTC`}
      className={classNames(
        "figures inline-flex items-center gap-1.5 text-sm font-medium whitespace-nowrap",
        isMine && isSoon ? "text-bad" : "text-text",
      )}
    >
      <Timer aria-hidden className="size-4" />
      {remainingText(leftMs)}
    </span>
  );
}
