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
