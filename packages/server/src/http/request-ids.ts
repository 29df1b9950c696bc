import { randomBytes } from "node:crypto";

/**
 * Request ids: a random part for this process and a count. Never the client's own, which could be
 * anything, and cheaper than fresh randomness for every request.
 */
export function requestIds(): () => string {
  const process = randomBytes(9).toString("base64url");
  let count = 0;
  return () => `req_${process}_${(count += 1).toString(36)}`;
}
