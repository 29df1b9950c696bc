import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { ironleased } from "#test/ironleased.ts";
import { codeOf } from "#test/https-client.ts";
import { startTestService } from "#test/service.ts";

test("account sign-out ends every session and API key of that account and of no other", async () => {
  const IRONLEASE_DATA = mkdtempSync(join(tmpdir(), "ironlease-sign-out-"));
  const service = await startTestService("sqlite", { settings: { IRONLEASE_DATA } });
  try {
    const [ada, eve] = [await service.register("ada"), await service.register("eve")];
    const { json } = await ada.send("POST", "/api/v1/api-keys", {
      body: { name: "k", scope: "read" },
    });
    const run = (...args: string[]) =>
      ironleased(["account", "sign-out", ...args], { IRONLEASE_DATA });
    const signedOut = await run("ADA");
    assert.equal(signedOut.code, 0);
    assert.match(signedOut.said, /^Signed ada out everywhere and revoked all API keys\.\n/);
    assert.equal(codeOf(await ada.send("GET", "/api/v1/me")), "authentication_required");
    const headers = { authorization: `Bearer ${json.key}` };
    const byKey = await service.send("GET", "/api/v1/servers", { headers });
    assert.equal(codeOf(byKey), "authentication_required");
    assert.equal((await eve.send("GET", "/api/v1/me")).status, 200);
    const entries = service.core.db.read.selectFrom("audit").select(["actor", "ip_address"]);
    assert.deepEqual(
      (await entries.where("action", "=", "account.end_access").execute()).map((row) => ({
        ...row,
      })),
      [{ actor: "system", ip_address: "" }],
    );
    const unknown = await run("unknown-name");
    assert.equal(unknown.code, 1);
    assert.match(unknown.said, /There is no account unknown-name/);
    assert.equal((await run()).code, 2);
  } finally {
    await service.close();
    rmSync(IRONLEASE_DATA, { recursive: true, force: true });
  }
});
