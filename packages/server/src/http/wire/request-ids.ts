import { randomUUID } from "node:crypto";

/**
 * Random, so that an id tells neither how many requests there were nor what the next one is called.
 * Never the client's own, which could be anything. Node draws the randomness for many at once.
 */
export function newRequestId(): string {
  return `req_${randomUUID()}`;
}
