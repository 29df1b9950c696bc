/** Formatting a time costs more than reading its row, and lists show the same times again and again. */
const cache = new Map<number, string>();
const maxCached = 10_000;

/** Formats a time for the wire: ISO 8601 in UTC with milliseconds. */
export function isoTime(epochMs: number): string {
  let text = cache.get(epochMs);
  if (text === undefined) {
    if (cache.size >= maxCached) cache.clear();
    text = new Date(epochMs).toISOString();
    cache.set(epochMs, text);
  }
  return text;
}

export function isoTimeOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : isoTime(epochMs);
}

/** Formats a time for a sentence: `2026-12-15 09:30 UTC`. */
export function minuteText(epochMs: number): string {
  return `${isoTime(epochMs).slice(0, 16).replace("T", " ")} UTC`;
}

const utcTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/;

/** Reads a time in UTC from a request. Returns undefined for anything else. */
export function readUtcTime(text: string): number | undefined {
  const epochMs = utcTime.test(text) ? Date.parse(text) : Number.NaN;
  // Date.parse reads 31 February as a day in March. Formatting the result again reveals that.
  const isRealDay =
    !Number.isNaN(epochMs) && new Date(epochMs).toISOString().startsWith(text.slice(0, 19));
  return isRealDay ? epochMs : undefined;
}
