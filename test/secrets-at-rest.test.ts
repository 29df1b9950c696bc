import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import type { Db } from "#server/ports/db.ts";
import { addTestOperator } from "#test/operators.ts";
import { cookiesOf, password, startTestService } from "#test/service.ts";
import { totpCode } from "#test/totp.ts";

async function dumpAsText(db: Db): Promise<string> {
  const tables = await sql<{ name: string }>`
    select name from sqlite_schema where type = 'table'`.execute(db.read);
  const rows = await Promise.all(
    tables.rows.map(({ name }) => sql`select * from ${sql.table(name)}`.execute(db.read)),
  );
  return JSON.stringify(rows.map((table) => table.rows));
}

const valuesOf = (cookies: readonly string[]) =>
  cookies.map((cookie) => cookie.slice(cookie.indexOf("=") + 1));

// One engine is enough, because the values are computed before they reach the adapter.
test("the database contains no secret that could be used to sign in", async () => {
  const service = await startTestService("sqlite");
  const { core, clock, sendToDesk } = service;
  const operatorPassword = "a pass phrase of theirs";
  try {
    const ada = await service.register();
    const [sessionToken = ""] = valuesOf(ada.cookie.split("; "));
    assert.match(sessionToken, /^[\w-]{43}$/, "256 bits");
    const { json: begunByAda } = await ada.send("POST", "/api/v1/auth/totp");
    const { json: confirmedByAda } = await ada.send("POST", "/api/v1/auth/totp/confirm", {
      body: { code: totpCode(begunByAda.secret, clock.now()) },
    });
    const { json: apiKey } = await ada.send("POST", "/api/v1/api-keys", {
      body: { name: "k", scope: "read" },
    });

    const created = await ada.send("POST", "/api/v1/webhooks", {
      body: { url: "https://hooks.example.com/" },
    });
    const rotated = await ada.send("POST", `/api/v1/webhooks/${created.json.id}/secret`);
    const webhookSecrets = [created, rotated].map(({ json }) => json.secret as string);

    const { username } = await addTestOperator(core, "admin", { password: operatorPassword });
    const signedIn = await sendToDesk("POST", "/operator/v1/auth/login", {
      body: { username, password: operatorPassword },
    });
    const headers = {
      cookie: cookiesOf(signedIn).join("; "),
      "x-csrf-token": signedIn.json.csrfToken as string,
    };
    const begun = await sendToDesk("POST", "/operator/v1/auth/totp", { headers });
    const body = { code: totpCode(begun.json.secret, clock.now()) };
    const path = "/operator/v1/auth/totp/confirm";
    const confirmed = await sendToDesk("POST", path, { headers, body });
    assert.equal(confirmed.status, 200);

    const codes: string[] = [
      ada.recoveryCode,
      ...confirmedByAda.recoveryCodes,
      ...confirmed.json.recoveryCodes,
    ];
    const secrets = [
      ...[password, operatorPassword, apiKey.key as string],
      ...[begunByAda.secret as string, begun.json.secret as string],
      ...webhookSecrets.flatMap((secret) => [secret, secret.slice("whsec_".length)]),
      ...[...valuesOf(ada.cookie.split("; ")), ...valuesOf(cookiesOf(signedIn))],
      ...[...codes, ...codes.map((code) => code.replaceAll("-", ""))],
    ];
    const stored = await dumpAsText(core.db);
    assert.ok(stored.includes(username) && stored.includes(apiKey.id), "the dump has no rows");
    for (const secret of secrets) {
      assert.ok(secret.length >= 10);
      assert.ok(!stored.includes(secret), `the database contains ${secret}`);
    }
  } finally {
    await service.close();
  }
});
