/** The time, as a port, so that tests can move it. Epoch milliseconds. */
export interface Clock {
  now(): number;
}

/** Writing a time takes longer than reading its row, and lists show the same times again and again. */
const written = new Map<number, string>();
const maxWritten = 10_000;

/** A time as the wire writes it: ISO 8601 in UTC with milliseconds. */
export function isoTime(epochMs: number): string {
  let text = written.get(epochMs);
  if (text === undefined) {
    if (written.size >= maxWritten) written.clear();
    text = new Date(epochMs).toISOString();
    written.set(epochMs, text);
  }
  return text;
}

/** The same, of something that may not have happened. */
export function isoTimeOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : isoTime(epochMs);
}
