import type { Server } from "@ironlease/client";
import { remainingText } from "#ui/remaining-text.ts";

type Renewing = Pick<Server, "state" | "paidThrough" | "graceUntil" | "autoRenew">;

export interface Countdown {
  readonly text: string;
  /** When it ends or renews. Null before delivery. */
  readonly at: string | null;
  readonly isUrgent: boolean;
}

/** What happens next to the rental, and when. */
export function renewalCountdown(server: Renewing, now: number): Countdown {
  const { state, paidThrough, graceUntil, autoRenew } = server;
  if (paidThrough === null) return { text: "Starts at delivery", at: null, isUrgent: false };
  const within = (at: string) => remainingText(Date.parse(at) - now);
  if (state === "GRACE" && graceUntil !== null) {
    const isOver = Date.parse(graceUntil) <= now;
    const text = isOver ? "Grace period over" : `Ends in ${within(graceUntil)}`;
    return { text, at: graceUntil, isUrgent: true };
  }
  if (Date.parse(paidThrough) <= now) return { text: "Due now", at: paidThrough, isUrgent: true };
  if (autoRenew)
    return { text: `Renews in ${within(paidThrough)}`, at: paidThrough, isUrgent: false };
  return { text: `Renewal off, ${within(paidThrough)} left`, at: paidThrough, isUrgent: true };
}
