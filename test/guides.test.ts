import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { systemRandom } from "#server/adapters/system/random.ts";
import { newWebhookSecret, signedHeaders } from "#server/features/webhooks/signature.ts";
import { addTestOperator } from "#test/operators.ts";
import { cookiesOf, password, startTestService } from "#test/service.ts";
import { totpCode } from "#test/totp.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");

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

test("the receiver in receive-webhooks.md accepts what the service sends and nothing else", async () => {
  const source = /```js\n(.*?)```/s.exec(read("docs/guides/receive-webhooks.md"))?.[1] ?? "";
  const secret = newWebhookSecret(systemRandom);
  const receiver = spawn(process.execPath, ["--input-type=module", "-e", source], {
    env: { ...process.env, WEBHOOK_SECRET: secret, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const lines = createInterface(receiver.stdout)[Symbol.asyncIterator]();
    const port = Number(/^listening (\d+)$/.exec((await lines.next()).value ?? "")?.[1]);
    const body = '{"type":"server.active","timestamp":"2026-11-15T09:30:00.000Z","data":{}}';
    const headers = signedHeaders({ id: "whd_1", atMs: Date.now(), body }, [secret]);
    const post = (sent: string) =>
      fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers, body: sent });
    assert.equal((await post(body)).status, 204);
    assert.match((await lines.next()).value ?? "", /^server\.active/);
    assert.equal((await post(body.replace("active", "grace"))).status, 401);
  } finally {
    receiver.kill();
  }
});

test("every bold name in the guides for operators is one of the desk's", () => {
  const copy = globSync("packages/console/src/{desk,app,ui}/**/*.tsx", { cwd: root })
    .filter((path) => !path.includes(".test."))
    .map(read)
    .join("");
  const guides = ["operate", "go-live", "deliver-servers"].map((page) => `docs/guides/${page}.md`);
  const names = guides.flatMap((page) =>
    Array.from(read(page).matchAll(/\*\*(.+?)\*\*/g), ([, name = ""]) => ({ page, name })),
  );
  assert.ok(names.length > 60);
  const unknown = names.filter(({ name }) => !copy.includes(name));
  assert.deepEqual(unknown, []);
});
