import assert from "node:assert/strict";
import { test } from "node:test";
import { readConfig, type Mode } from "#server/config.ts";
import { sendRaw } from "#test/raw-https.ts";
import { startTestService } from "#test/service.ts";

/** The distinct values of the header over several answers; undefined for an answer without it. */
async function hstsOf(mode: Mode, settings: Readonly<Record<string, string>> = {}) {
  const service = await startTestService("sqlite", { mode, settings });
  try {
    const answers = [
      await service.send("GET", "/api/health"),
      await service.send("GET", "/docs"),
      await service.send("GET", "/nowhere"),
      await service.sendToDesk("GET", "/operator/v1/me"),
    ];
    const sent = answers.map(({ headers }) => headers["strict-transport-security"]);
    const { head } = await sendRaw(service.url, service.ca, "BAD\r\n\r\n");
    return [...new Set([...sent, /^strict-transport-security: (.*)$/m.exec(head)?.[1]?.trim()])];
  } finally {
    await service.close();
  }
}

test("serve sends Strict-Transport-Security, and includeSubDomains only if configured", async () => {
  assert.deepEqual(await hstsOf("serve"), ["max-age=63072000"]);
  assert.deepEqual(await hstsOf("serve", { IRONLEASE_HSTS: "include-subdomains" }), [
    "max-age=63072000; includeSubDomains",
  ]);
  assert.deepEqual(await hstsOf("serve", { IRONLEASE_HSTS: "off" }), [undefined]);
});

test("a preview never sends Strict-Transport-Security", async () => {
  assert.deepEqual(await hstsOf("preview"), [undefined]);
  assert.throws(() => readConfig("preview", { IRONLEASE_HSTS: "on" }), /only serve allows/);
});
