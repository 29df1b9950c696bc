import assert from "node:assert/strict";
import { test } from "node:test";
import { newRequestId } from "./request-ids.ts";

test("a request id tells nothing about those before and after it", () => {
  const ids = Array.from({ length: 100 }, newRequestId);
  for (const id of ids) assert.match(id, /^req_[\w-]{20,}$/);
  // A count, a time or a part for the process would repeat at one end or the other.
  const differ = (part: (id: string) => string) => new Set(ids.map(part)).size === ids.length;
  assert.ok(differ((id) => id.slice("req_".length).slice(0, 8)));
  assert.ok(differ((id) => id.slice(-8)));
});
