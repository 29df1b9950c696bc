import { useEffect, useState } from "react";

const moment = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });

/** A time, or only its date, in the user's time zone. The tooltip shows UTC. */
export function Time({ at, isDay = false }: { readonly at: string; readonly isDay?: boolean }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={utcText(at)} className="figures whitespace-nowrap">
      {(isDay ? day : moment).format(date)}
    </time>
  );
}

function utcText(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
}

/** The current time, updated at an interval. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
