import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestService } from "#test/service.ts";
import { pagePolicy, securityHeaders } from "./security-headers.ts";

/** Repeats the values, so that weakening one takes two deliberate changes. */
test("responses forbid framing, sniffing, caching, embedding and loading from other origins", () => {
  assert.deepEqual(securityHeaders, {
    "x-content-type-options": "nosniff",
    "content-security-policy":
      "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
    "x-frame-options": "DENY",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=()",
    "cache-control": "no-store",
  });
  assert.deepEqual(pagePolicy.split("; ").toSorted(), [
    "base-uri 'none'",
    "connect-src 'self'",
    "default-src 'none'",
    "font-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "img-src 'self' data:",
    "script-src 'self'",
    "style-src 'self'",
  ]);
});

test("browsers run nothing in an API answer, and pages load only files of their origin", async () => {
  const service = await startTestService("sqlite");
  try {
    const policyAt = async (path: string) =>
      String((await service.send("GET", path)).headers["content-security-policy"]);
    for (const path of ["/api/health", "/api/v1/me", "/api/openapi.json", "/nowhere"]) {
      assert.match(await policyAt(path), /^default-src 'none'; .*frame-ancestors 'none'; sandbox$/);
    }
    const page = await policyAt("/docs");
    assert.match(page, /default-src 'none'; script-src 'self'; .*frame-ancestors 'none'$/);
  } finally {
    await service.close();
  }
});
