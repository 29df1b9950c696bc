/**
 * A valid `traceparent` header (W3C Trace Context, version 00). Undefined for anything else, such as a repeated header:
 * the request is served without one.
 */
export function traceparentIn(header: string | string[] | undefined): string | undefined {
  if (typeof header !== "string") return undefined;
  const [, traceId, parentId] = /^00-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/.exec(header) ?? [];
  // Zeros are invalid.
  const isValid = /[1-9a-f]/.test(traceId ?? "") && /[1-9a-f]/.test(parentId ?? "");
  return isValid ? header : undefined;
}

/** For the log. */
export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}
