/** `2026-11-15 09:30 UTC` */
export function minuteOf(time: string | null): string {
  return time === null ? "-" : `${time.slice(0, 16).replace("T", " ")} UTC`;
}

/** `12.50`, for a column. */
export function amountOf(usd: number): string {
  return usd.toFixed(2);
}

/** `12.50 USD`, for a sentence. */
export function usdOf(usd: number): string {
  return `${amountOf(usd)} USD`;
}

/** `1 server`, `2 servers`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Why and since when an account is frozen or a server suspended. */
export function stopOf(
  stop: { readonly reason: string; readonly since: string } | undefined,
): string | undefined {
  return stop && `since ${minuteOf(stop.since)}: ${stop.reason}`;
}
