/** The latest months in UTC, such as `2026-11`, newest first. */
export function monthsUntil(now: Date, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - index)).toISOString().slice(0, 7),
  );
}

const long = new Intl.DateTimeFormat("en-GB", { month: "long", year: "numeric", timeZone: "UTC" });

export function monthText(month: string): string {
  return long.format(new Date(`${month}-01T00:00:00Z`));
}
