import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { addTestOperator } from "#test/operators.ts";
import { cookiesOf, password, startTestService } from "#test/service.ts";
import { totpCode } from "#test/totp.ts";

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");

/** The requests that the guide sends with its `desk` function, in order. */
const deskCalls = Array.from(
  read("docs/guides/run-it.md").matchAll(/^desk (auth\/\S+) .*?-d '(\{.*?\})'/gm),
  ([, path = "", body = ""]) => ({ path, body: JSON.parse(body) as Record<string, string> }),
);

test("the commands in run-it.md set up a second factor and sign in with it", async () => {
  const service = await startTestService("sqlite", { mode: "serve" });
  try {
    const { core, clock, sendToDesk } = service;
    const { username } = await addTestOperator(core, "admin", { password });
    let headers: Record<string, string> = {};
    let secret = "";
    const answered = [];
    for (const { path, body } of deskCalls) {
      // A code is valid once, so each request needs a new time step.
      clock.advance(60_000);
      const given: Record<string, string> = { username, password };
      const code = secret === "" ? "" : totpCode(secret, clock.now());
      const filled = Object.fromEntries(
        Object.keys(body).map((field) => [field, given[field] ?? code]),
      );
      const answer = await sendToDesk("POST", `/operator/v1/${path}`, { headers, body: filled });
      answered.push(`${path} ${Object.keys(body).join(",")} ${answer.status}`);
      if (path === "auth/login") {
        const { csrfToken = "" } = answer.json as { csrfToken?: string };
        headers = { cookie: cookiesOf(answer).join("; "), "x-csrf-token": csrfToken };
      }
      if (path === "auth/totp") ({ secret } = answer.json as { secret: string });
    }
    assert.deepEqual(answered, [
      "auth/login username,password 200",
      "auth/totp  200",
      "auth/totp/confirm code 200",
      "auth/login username,password,totp 200",
    ]);
    assert.equal((await sendToDesk("GET", "/operator/v1/work", { headers })).status, 200);
  } finally {
    await service.close();
  }
});

test("add-a-settlement-provider.md names every required member of the settlement ports", () => {
  const guide = read("docs/guides/add-a-settlement-provider.md");
  const port = read("packages/server/src/ports/settlement.ts");
  for (const name of ["Chain", "AssetSettlement", "Rates", "Rate"]) {
    const [, members = ""] =
      port.match(new RegExp(`interface ${name} \\{\\n(.*?)\\n\\}`, "s")) ?? [];
    const required = [...members.matchAll(/^ {2}(?:readonly )?(\w+)(?:\(|:)/gm)];
    assert.notEqual(required.length, 0, name);
    for (const [, member = ""] of required)
      assert.match(guide, new RegExp(`\`${member}\\b`), member);
    assert.ok(guide.includes(`\`${name}\``), name);
  }
});
