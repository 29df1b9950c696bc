import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestService } from "../../../../test/support/service.ts";

test("what is no page may do nothing where a browser shows it as one, and pages keep to our files", async () => {
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
