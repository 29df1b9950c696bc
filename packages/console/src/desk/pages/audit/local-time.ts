/** What a field for a time holds, in the reader's zone, for a time in UTC; empty for none. */
export function localText(utc: string): string {
  const at = Date.parse(utc);
  if (Number.isNaN(at)) return "";
  const date = new Date(at);
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The time in UTC that the field means. */
export function utcOf(local: string): string {
  const at = Date.parse(local);
  return Number.isNaN(at) ? "" : new Date(at).toISOString();
}
