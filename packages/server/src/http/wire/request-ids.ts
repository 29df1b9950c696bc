import { randomUUID } from "node:crypto";

/**
 * Random, so that an id reveals neither the number of requests nor the next id. Ids from clients are not
 * used, because they could contain anything. Node generates the randomness for many ids at once.
 */
export function newRequestId(): string {
  return `req_${randomUUID()}`;
}
