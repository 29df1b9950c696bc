import assert from "node:assert/strict";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "#test/daemon.ts";
import { deadDnsFile } from "#test/dns-file.ts";
import { ironleased } from "#test/ironleased.ts";
import { testAccountKey } from "#test/litecoin-watch.ts";

const folder = temporaryFolder();
const IRONLEASE_DATA = temporaryFolder();
const secret = "hunter2";

function file(name: string, text = secret): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** What `doctor` says about files of secrets. */
async function examine(
  env: Readonly<Record<string, string>>,
  argv: readonly string[] = [],
): Promise<{ readonly lines: readonly string[]; readonly said: string }> {
  const settings = { IRONLEASE_DATA, IRONLEASE_TLS: "off", ...env };
  const { lines, said } = await ironleased(["doctor", ...argv], settings);
  return { said, lines: lines.filter((line) => line.slice(5).startsWith("secret files:")) };
}

const warning = (path: string) =>
  `note secret files: every user can read ${path}: chmod o-rwx ${path}`;

function writeSettlementFile(): { readonly path: string; readonly secrets: readonly string[] } {
  const chain = { birthHeight: 0, network: "regtest" };
  const bitcoin = {
    ...chain,
    rpcUrl: "http://127.0.0.1:1",
    accountPublicKey: testAccountKey,
  };
  const monero = {
    ...chain,
    kind: "monero",
    daemonUrl: "http://127.0.0.1:1",
    walletRpcUrl: "http://127.0.0.1:1",
    walletLoginFile: "wallet-login",
    address: "4".repeat(95),
    viewKeyFile: "view-key",
  };
  const chains = [
    { ...bitcoin, kind: "bitcoin", rpcCookieFile: "cookie" },
    { ...bitcoin, kind: "litecoin", rpcUser: "rpc", rpcPasswordFile: "rpc-password" },
    monero,
  ];
  const document = { chains, rates: { source: "fixed", usd: {} } };
  const secrets = ["cookie", "rpc-password", "wallet-login", "view-key"].map((name) => file(name));
  return { path: file("settlement.json", JSON.stringify(document)), secrets };
}

test("each file of a secret that every user can read is a note with the command that corrects it", async () => {
  const settlement = writeSettlementFile();
  const IRONLEASE_DNS = await deadDnsFile(folder);
  const [tlsKey, smtpPassword, sslKey] = [file("tls.key"), file("smtp"), file("ssl.key")];
  const [secretKey, smtpUrl] = [file("secret.key"), file("smtp-url", "smtp://me@127.0.0.1:1\n")];
  const databaseUrl = file("url", `postgres://me:${secret}@127.0.0.1:1/d?sslkey=${sslKey}\n`);
  const secrets = [
    ...settlement.secrets,
    ...[tlsKey, smtpPassword, sslKey, secretKey, databaseUrl, join(folder, "dns-key")],
  ];
  const env = {
    IRONLEASE_DATABASE_URL_FILE: databaseUrl,
    IRONLEASE_DNS,
    IRONLEASE_MAIL_FROM: "me@rent.example",
    IRONLEASE_OPERATOR_LISTEN: "off",
    IRONLEASE_SECRET_FILE: secretKey,
    IRONLEASE_SETTLEMENT: settlement.path,
    IRONLEASE_SMTP_FILE: smtpUrl,
    IRONLEASE_SMTP_PASSWORD_FILE: smtpPassword,
    IRONLEASE_TLS: `${file("tls.pem")},${tlsKey}`,
  };
  for (const path of secrets) chmodSync(path, 0o644);
  const open = await examine(env);
  assert.deepEqual(open.lines.toSorted(), secrets.map(warning).toSorted());
  assert.ok(!open.said.includes(secret));

  for (const path of secrets) chmodSync(path, 0o640);
  const closed = (await examine(env)).lines;
  assert.deepEqual(closed, ["ok   secret files: none is readable by every user"]);
});

test("a settings file is a file of secrets only if a secret is written in it", async () => {
  const url = (login: string) => `database_url = "postgres://${login}127.0.0.1:1/d"\n`;
  const path = join(folder, "a.toml");
  const linesWith = async (text: string) => {
    file("a.toml", text);
    chmodSync(path, 0o644);
    return (await examine({}, ["--config", path])).lines;
  };
  const fine = ["ok   secret files: none is readable by every user"];
  assert.deepEqual(await linesWith('log_level = "warn"\n'), fine);
  assert.deepEqual(await linesWith(url("")), fine);
  assert.deepEqual(await linesWith(url("rent@")), fine);
  assert.deepEqual(await linesWith(url(`rent:${secret}@`)), [warning(path)]);
  assert.deepEqual(await linesWith(`operator_password = "${secret}"\n`), [warning(path)]);
});

test("a missing file of a secret is left to the check that reads it", async () => {
  const { lines } = await examine({
    IRONLEASE_SMTP: "smtp://me@127.0.0.1:1",
    IRONLEASE_MAIL_FROM: "me@rent.example",
    IRONLEASE_SMTP_PASSWORD_FILE: join(folder, "missing"),
    IRONLEASE_DNS: join(folder, "missing.json"),
    IRONLEASE_SETTLEMENT: join(folder, "missing.json"),
  });
  assert.deepEqual(lines, ["ok   secret files: none is readable by every user"]);
});
