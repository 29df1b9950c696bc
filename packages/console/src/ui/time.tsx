import { useEffect, useState } from "react";

const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });
const relative = new Intl.RelativeTimeFormat("en-GB", { numeric: "auto" });

/** A moment in the reader's own zone; the same in UTC when pointed at. */
export function Time({
  at,
  style = "moment",
}: {
  readonly at: string;
  readonly style?: "moment" | "day" | "relative";
}) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={utcText(at)} className="figures whitespace-nowrap">
      {style === "relative" && <Relative date={date} />}
      {style === "moment" && moment.format(date)}
      {style === "day" && day.format(date)}
    </time>
  );
}

export function utcText(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
}

function Relative({ date }: { readonly date: Date }) {
  const now = useNow(30_000);
  return relativeText(date.getTime() - now);
}

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** "in 3 days", "2 hours ago", "now". */
export function relativeText(ms: number): string {
  const unit = units.find(([, size]) => Math.abs(ms) >= size);
  if (unit === undefined) return "just now";
  return relative.format(Math.trunc(ms / unit[1]), unit[0]);
}

/** How long it is until then: "2 d 4 h", "14:05". Never below zero. */
export function remainingText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (hours >= 24) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  if (hours >= 1) return `${hours} h ${minutes % 60} min`;
  return `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
}

/** The time of now, looked at again so often. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
