import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { codeOf } from "../../../../../test/support/https-client.ts";
import { startTestService } from "../../../../../test/support/service.ts";
import { accountSignOut } from "./sign-out.ts";

test("account sign-out ends every session and key of that account, and of no other", async () => {
  const IRONLEASE_DATA = mkdtempSync(join(tmpdir(), "ironlease-sign-out-"));
  const service = await startTestService("sqlite", { settings: { IRONLEASE_DATA } });
  try {
    const [ada, eve] = [await service.register("ada"), await service.register("eve")];
    const { json } = await ada.send("POST", "/api/v1/api-keys", {
      body: { name: "k", scope: "read" },
    });
    const lines: string[] = [];
    const run = (...args: string[]) =>
      accountSignOut(args, { IRONLEASE_DATA }, (line) => lines.push(line));
    assert.equal(await run("ADA"), 0);
    assert.match(lines.join("\n"), /^ada is signed out everywhere/);
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
    assert.equal(await run("nobody-of-that-name"), 1);
    assert.match(lines.at(-1) ?? "", /There is no account nobody-of-that-name/);
    assert.equal(await run(), 2);
    assert.equal(lines.at(-1), "Usage: ironleased account sign-out NAME");
  } finally {
    await service.close();
    rmSync(IRONLEASE_DATA, { recursive: true, force: true });
  }
});
