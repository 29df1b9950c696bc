import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { startTestService } from "#test/service.ts";
import { databaseUrl, runStatement } from "#test/template-database.ts";
import { createTestDatabase } from "#test/test-database.ts";

const suffix = randomBytes(6).toString("hex");
const names: Readonly<Record<string, string>> = {
  ironlease: `owner_${suffix}`,
  ironlease_service: `service_${suffix}`,
  "…": "secret",
};

interface Step {
  readonly role: "superuser" | "owner";
  readonly statements: readonly string[];
}

/** The SQL blocks of the guide with this test's names, and the role that the sentence above each one names. */
function guideSteps(): readonly Step[] {
  const guide = readFileSync(new URL("../docs/guides/run-it.md", import.meta.url), "utf8");
  const blocks = [...guide.matchAll(/([^\n]+(?:\n[^\n]+)*)\n\n```sql\n(.*?)```/gs)];
  return blocks.map(([, above = "", sql = ""]) => {
    const runAs = [...above.matchAll(/\bas (?:a|the) (superuser|owner)\b/g)].at(-1)?.[1];
    assert.ok(runAs === "superuser" || runAs === "owner", `no role above the SQL: ${above}`);
    const named = sql.replaceAll(
      /\b(?:ironlease_service|ironlease)\b|…/g,
      (name) => names[name] ?? name,
    );
    return {
      role: runAs,
      statements: named.split(";").filter((statement) => statement.trim() !== ""),
    };
  });
}

test("the service runs as a role that owns nothing and cannot change append-only tables", async (t) => {
  const server = await createTestDatabase();
  const { ironlease: owner = "", ironlease_service: role = "" } = names;
  const ownersUrl = urlAs(server.url, owner, owner);
  t.after(async () => {
    await runStatement(server.url, `drop database if exists ${owner} with (force)`);
    for (const name of [role, owner]) await runStatement(server.url, `drop role if exists ${name}`);
    await server.drop();
  });

  // The first block creates the database. The owner migrates it before the other blocks run.
  const [create, ...grants] = guideSteps();
  const runStep = async ({ role: runAs, statements }: Step, superusersUrl: string) => {
    const url = runAs === "superuser" ? superusersUrl : ownersUrl;
    for (const statement of statements) await runStatement(url, statement);
  };
  await runStep(create ?? assert.fail("the guide has no SQL"), server.url);
  const settings = { IRONLEASE_DATABASE_URL: ownersUrl };
  await (await startTestService("sqlite", { settings })).close();
  const superusersUrl = databaseUrl(server.url, owner);
  for (const step of grants) await runStep(step, superusersUrl);
  const url = urlAs(server.url, role, owner);

  const service = await startTestService("sqlite", {
    settings: { IRONLEASE_DATABASE_URL: url },
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
    const validUntil = new Date(service.clock.now() + 60_000).toISOString();
    const rate = await send("PUT", "/operator/v1/rates/LTC", { body: { usd: 80, validUntil } });
    assert.equal(rate.status, 200, rate.text);
  } finally {
    await service.close();
  }
  for (const statement of [
    "update audit set actor = 'another actor'",
    "delete from journal",
    "update rates set usd = '1'",
    "drop trigger audit_no_delete on audit",
    "create table extra (id integer)",
  ]) {
    await assert.rejects(
      runStatement(url, statement),
      /permission denied|must be owner/,
      statement,
    );
  }
});

function urlAs(serverUrl: string, role: string, database: string): string {
  const url = new URL(databaseUrl(serverUrl, database));
  [url.username, url.password] = [role, "secret"];
  return url.href;
}
