import assert from "node:assert/strict";
import { test } from "node:test";
import { temporaryFolder } from "#test/daemon.ts";
import { ironleased } from "#test/ironleased.ts";
import { readConfig } from "#config.ts";

test("commands run with settings that only serve or only preview accepts", async () => {
  const IRONLEASE_DATA = temporaryFolder();
  for (const env of [
    { IRONLEASE_HSTS: "include-subdomains" },
    { IRONLEASE_LISTEN: "0.0.0.0:8443" },
    { IRONLEASE_AUTH_LIMITS: "off", IRONLEASE_SETTLEMENT: "simulated" },
  ]) {
    assert.equal((await ironleased(["migrate"], { IRONLEASE_DATA, ...env })).code, 0);
    const { code, said } = await ironleased(["verify"], { IRONLEASE_DATA, ...env });
    assert.equal(code, 0, said);
  }
});

test("a command has the defaults of serve, so that it simulates nothing in production", () => {
  assert.equal(readConfig("command", {}).settlement, "none");
  assert.equal(readConfig("preview", {}).settlement, "simulated");
});

test("an unknown setting is an error for a command as well", async () => {
  const { code, said } = await ironleased(["verify"], { IRONLEASE_PORT: "1" });
  assert.equal(code, 1);
  assert.match(said, /^error: IRONLEASE_PORT is not a setting/);
});
