/** Converts UTC to the value of a datetime-local field; empty if there is none. */
export function localText(utc: string): string {
  const at = Date.parse(utc);
  if (Number.isNaN(at)) return "";
  const date = new Date(at);
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Converts the value of a datetime-local field to UTC. */
export function utcOf(local: string): string {
  const at = Date.parse(local);
  return Number.isNaN(at) ? "" : new Date(at).toISOString();
}
