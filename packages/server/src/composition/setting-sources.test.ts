import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "#test/daemon.ts";
import { ironleased } from "#test/ironleased.ts";
import { ConfigError, parseConfig } from "#config.ts";
import { gatherSettings } from "./setting-sources.ts";

const folder = temporaryFolder();

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function problemsOf(env: Readonly<Record<string, string>>, path?: string): readonly string[] {
  try {
    gatherSettings(env, path);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

test("a variable takes precedence over the file, and the file over the default", () => {
  const path = file("a.toml", 'listen = "127.0.0.1:9000"\n\n# Two per core.\ndatabase_pool = 8\n');
  const { env, sources } = gatherSettings(
    { IRONLEASE_LISTEN: "127.0.0.1:9001", PATH: "/bin" },
    path,
  );
  const config = parseConfig("serve", env);
  assert.deepEqual(
    [config.listen.port, config.databasePool, config.graceMs],
    [9001, 8, 259_200_000],
  );
  assert.equal(env["PATH"], "/bin");
  assert.deepEqual(Object.fromEntries(sources), {
    IRONLEASE_DATABASE_POOL: `${path}:4`,
    IRONLEASE_LISTEN: "environment",
  });
});

test("JSON sets the same as TOML", () => {
  const path = file("a.json", '{"$schema": "x",\n "two_operators_from": 99.5,\n "tls": "off"}');
  const { env, sources } = gatherSettings({}, path);
  const { twoOperatorsFromCents, tls } = parseConfig("serve", env);
  assert.deepEqual([twoOperatorsFromCents, tls.kind], [9_950, "off"]);
  assert.equal(sources.get("IRONLEASE_TLS"), `${path}:3`);
});

test("the example in configuration.md is a valid settings file", () => {
  const page = new URL("../../../../docs/reference/configuration.md", import.meta.url);
  const [, example = ""] = /```toml\n(.*?)```/s.exec(readFileSync(page, "utf8")) ?? [];
  const secret = file("url", "postgres://db.example/ironlease\n");
  const path = file("example.toml", example.replace("/etc/ironlease/database-url", secret));
  const { env } = gatherSettings({}, path);
  assert.equal(parseConfig("serve", env).databaseUrl, "postgres://db.example/ironlease");
});

test("every wrong line of a file is an error that names it", () => {
  const toml = file(
    "bad.toml",
    [
      'listen = "nine"',
      "databse_pool = 8",
      'IRONLEASE_TLS = "off"',
      "trust_proxy = [1]",
      'operator_password = """two\nlines"""',
      "[smtp]",
      'user = "x"',
    ].join("\n"),
  );
  assert.deepEqual(
    problemsOf({}, toml).map((problem) => problem.replace(toml, "")),
    [
      ':1: listen must be an address and a port such as 127.0.0.1:8443 or [::1]:8443 (it is "nine").',
      ":2: databse_pool is not a setting. For the list, see docs/reference/configuration.md.",
      ":3: IRONLEASE_TLS is not a setting. Write tls.",
      ":4: trust_proxy must be text or a number.",
      ":5: operator_password must be one line.",
      ":7: smtp must be text or a number.",
    ],
  );
});

test("a file that cannot be parsed is an error that names the line and quotes no secret", () => {
  const toml = file("broken.toml", 'listen = "127.0.0.1:1"\nsmtp = "smtp://u:hunter2@h:1\n');
  const [problem = "", ...others] = problemsOf({}, toml);
  assert.ok(problem.startsWith(`${toml}:2: invalid TOML: `), problem);
  assert.ok(!problem.includes("hunter2"), problem);
  assert.deepEqual(others, []);
  const json = file("broken.json", '{"listen": "127.0.0.1:1",\n"listen": "127.0.0.1:2"}');
  assert.deepEqual(problemsOf({}, json), [`${json}:2: listen is a duplicate of line 1.`]);
  const list = file("list.json", "[]");
  assert.deepEqual(problemsOf({}, list), [
    `${list}:1: the document must be an object of settings.`,
  ]);
  const yaml = file("a.yaml", "listen: x");
  assert.deepEqual(problemsOf({}, yaml), [
    `--config must name a file that ends in .toml or .json: ${yaml}.`,
  ]);
  assert.match(
    problemsOf({}, join(folder, "none.toml"))[0] ?? "",
    /^--config names .*none\.toml, which does not exist\.$/,
  );
});

test("the value of a wrong secret is not shown", () => {
  const toml = file("secret.toml", 'database_url = "mysql://u:hunter2@h/db"\n');
  const [problem = ""] = problemsOf({}, toml);
  assert.match(problem, /:1: database_url must /);
  assert.ok(!problem.includes("hunter2"), problem);
});

test("a secret may come from a file, from the environment or from the settings file", () => {
  const path = file("password", "correct horse battery\r\n");
  const name = "IRONLEASE_OPERATOR_PASSWORD";
  const fromVariable = gatherSettings({ [`${name}_FILE`]: path }, undefined);
  assert.equal(fromVariable.env[name], "correct horse battery");
  assert.equal(fromVariable.sources.get(name), `${path} (environment)`);
  // The name of the file is no longer there, so it is not an unknown setting.
  assert.equal(parseConfig("preview", fromVariable.env).operatorPassword, "correct horse battery");
  const toml = file("s.toml", `operator_password_file = "${path}"\n`);
  assert.equal(gatherSettings({}, toml).env[name], "correct horse battery");
  assert.equal(gatherSettings({ [name]: "from a variable" }, toml).env[name], "from a variable");
});

test("a secret set twice, a missing file and a file of several lines are errors", () => {
  const [name, path] = ["IRONLEASE_DATABASE_URL", file("url2", "postgres://h/d")];
  assert.deepEqual(problemsOf({ [name]: "postgres://h/d", [`${name}_FILE`]: path }), [
    `${name} and ${name}_FILE are both set (environment). Set one of them.`,
  ]);
  const toml = file(
    "both.toml",
    `database_url = "postgres://h/d"\ndatabase_url_file = "${path}"\n`,
  );
  assert.deepEqual(problemsOf({}, toml), [
    `${name} and ${name}_FILE are both set (${toml}:2). Set one of them.`,
  ]);
  for (const [named, sentence] of [
    ["/no/such", /_FILE names \/no\/such, which does not exist\.$/],
    [folder, /_FILE names .*, which is a folder\.$/],
    ["", /_FILE is empty\. Name a file, or unset it\.$/],
    [file("none", "\n"), /_FILE names .*, which is empty\. It must have one line\.$/],
    [file("lines", "a\nb"), /_FILE names .*, which has several lines\. It must have one line\.$/],
  ] as const) {
    assert.match(problemsOf({ [`${name}_FILE`]: named })[0] ?? "", sentence);
  }
  // Only secrets have one.
  const { env } = gatherSettings({ IRONLEASE_LISTEN_FILE: path }, undefined);
  assert.throws(() => parseConfig("serve", env), /IRONLEASE_LISTEN_FILE is not a setting/);
});

test("ironleased settings shows every source and no secret", async () => {
  const secret = file("shown", "postgres://u:hunter2@h/d");
  const path = file("shown.toml", `database_url_file = "${secret}"\ngrace = "24h"\n`);
  const { code, said, lines } = await ironleased(["settings", "--config", path], {
    IRONLEASE_LISTEN: "127.0.0.1:9001",
  });
  assert.equal(code, 0, said);
  const row = (name: string) => lines.find((line) => line.startsWith(`${name} `))?.split(/ {2,}/);
  assert.deepEqual(row("IRONLEASE_DATABASE_URL"), [
    "IRONLEASE_DATABASE_URL",
    "(secret)",
    `${secret} (${path}:1)`,
  ]);
  assert.deepEqual(row("IRONLEASE_GRACE"), ["IRONLEASE_GRACE", "24h", `${path}:2`]);
  assert.deepEqual(row("IRONLEASE_LISTEN"), ["IRONLEASE_LISTEN", "127.0.0.1:9001", "environment"]);
  assert.deepEqual(row("IRONLEASE_HSTS"), ["IRONLEASE_HSTS", "on", "default"]);
  assert.equal(row("IRONLEASE_BRAND"), undefined);
  assert.ok(!said.includes("hunter2"));
  const all = await ironleased(["settings", "--preview", "--all"], {});
  assert.match(all.said, /^IRONLEASE_BRAND +none +default$/m);
  assert.match(all.said, /^IRONLEASE_HSTS +off +default$/m);
});

test("ironleased settings refuses an invalid setting and names it", async () => {
  const { code, said } = await ironleased(["settings"], { IRONLEASE_GRACE: "soon" });
  assert.equal(code, 1);
  assert.match(said, /^error: IRONLEASE_GRACE must be .* \(it is "soon"\)\.$/);
});
