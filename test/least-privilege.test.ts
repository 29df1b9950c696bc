import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { startTestService } from "./support/service.ts";
import { runStatement } from "./support/template-database.ts";
import { createMigratedDatabase } from "./support/test-database.ts";

/** The grants as the guide tells them, for another name of the role. */
function grantsOfTheGuide(role: string): readonly string[] {
  const guide = readFileSync(new URL("../docs/guides/run-it.md", import.meta.url), "utf8");
  const statements = guide.match(/^(?:grant|revoke) .* ironlease_service;$/gm) ?? [];
  assert.ok(statements.length >= 2, "the guide has grants");
  return statements.map((statement) => statement.replaceAll("ironlease_service", role));
}

test("the service runs as a role that owns nothing, and that role cannot change what is append-only", async (t) => {
  const database = await createMigratedDatabase();
  const role = `service_${randomBytes(6).toString("hex")}`;
  await runStatement(database.url, `create role ${role} login password 'secret'`);
  t.after(async () => {
    await runStatement(database.url, `drop owned by ${role}`);
    await runStatement(database.url, `drop role ${role}`);
    await database.drop();
  });
  for (const statement of grantsOfTheGuide(role)) await runStatement(database.url, statement);
  const url = new URL(database.url);
  [url.username, url.password] = [role, "secret"];

  const service = await startTestService("sqlite", {
    settings: { IRONLEASE_DATABASE_URL: url.href },
  });
  try {
    const ada = await service.register();
    const { send } = await service.operator("admin");
    const { json } = await send("GET", `/operator/v1/accounts?query=${ada.username}`);
    const adjusted = await send(
      "POST",
      `/operator/v1/accounts/${json.accounts[0].id}/adjustments`,
      {
        body: { usd: 25, reason: "a test" },
        headers: { "idempotency-key": "least-privilege" },
      },
    );
    assert.equal(adjusted.status, 201, adjusted.text);
    assert.equal((await ada.send("GET", "/api/v1/me")).json.balanceUsd, 25);
  } finally {
    await service.close();
  }
  for (const statement of [
    "update audit set actor = 'somebody else'",
    "delete from journal",
    "drop trigger audit_no_delete on audit",
    "create table theirs (id integer)",
  ]) {
    await assert.rejects(
      runStatement(url.href, statement),
      /permission denied|must be owner/,
      statement,
    );
  }
});
