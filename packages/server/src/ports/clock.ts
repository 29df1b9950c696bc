/** The time, as a port, so that tests can move it. Epoch milliseconds. */
export interface Clock {
  now(): number;
}

/** A time as the wire writes it: ISO 8601 in UTC with milliseconds. */
export function isoTime(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
