import type { WorkItem } from "@ironlease/client/operator";
import { classNames } from "#ui/class-names.ts";
import { Timer } from "#ui/icons.ts";
import { remainingText } from "#ui/remaining-text.ts";
import { useNow } from "#ui/time.tsx";

/** Warn while there is still time to renew. */
const warnBelowMs = 5 * 60_000;

/** Counts down to the end of a claim, after which any operator can claim the item. */
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
  const isSoon = leftMs < warnBelowMs;
  return (
    <span
      role="timer"
      aria-label={
        isMine ? "Your claim ends in" : `The claim of ${claimedBy ?? "another operator"} ends in`
      }
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
