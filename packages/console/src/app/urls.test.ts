import assert from "node:assert/strict";
import { test } from "node:test";
import { accountRoutes, deskRoutes, urlOf } from "./urls.ts";

test("parameters are encoded, so that an id cannot change the path", () => {
  assert.equal(urlOf(accountRoutes.server, { id: "srv_1" }), "/servers/srv_1");
  assert.equal(urlOf(accountRoutes.server, { id: "../keys?x=1" }), "/servers/..%2Fkeys%3Fx%3D1");
});

test("no console URL collides with the API or the reference", () => {
  for (const path of [...Object.values(accountRoutes), ...Object.values(deskRoutes)]) {
    assert.doesNotMatch(path, /^\/(?:api|docs|operator|assets|metrics|healthz|readyz)\b/);
  }
});
