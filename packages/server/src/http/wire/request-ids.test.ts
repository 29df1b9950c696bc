import assert from "node:assert/strict";
import { test } from "node:test";
import { newRequestId } from "./request-ids.ts";

test("a request id reveals nothing about other request ids", () => {
  const ids = Array.from({ length: 100 }, newRequestId);
  for (const id of ids) assert.match(id, /^req_[\w-]{20,}$/);
  // A counter, a timestamp or a process id would repeat at the start or at the end.
  const differ = (part: (id: string) => string) => new Set(ids.map(part)).size === ids.length;
  assert.ok(differ((id) => id.slice("req_".length).slice(0, 8)));
  assert.ok(differ((id) => id.slice(-8)));
});
