const utcDay = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });

/** "15 Nov 2026" for a moment of that day, or for `2026-11-15`. */
export function utcDayText(at: number | string): string {
  return utcDay.format(new Date(at));
}
