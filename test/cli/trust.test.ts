import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { openCliHarness, type CliHarness } from "#test/cli-harness.ts";
import { temporaryFolder } from "#test/daemon.ts";
import { password } from "#test/service.ts";
import { ironlease } from "#test/terminal.ts";

describe("certificate trust on first contact", () => {
  let harness: CliHarness;
  let fingerprint: string;
  before(async () => {
    harness = await openCliHarness();
    fingerprint = /([0-9A-F]{2}:){31}[0-9A-F]{2}/.exec(harness.daemon.output())?.[0] ?? "";
  });
  after(() => harness.close());

  const registering = (username: string, ...options: string[]) => [
    ...["register", username, "--url", harness.daemon.url, "--password-stdin", ...options],
  ];
  const newMachine = (cwd = "/") => ({
    cwd,
    piped: password,
    env: { XDG_CONFIG_HOME: temporaryFolder() },
  });

  test("an untrusted certificate exits 12 and nothing is sent", async () => {
    const { code, stdout, stderr } = await ironlease(registering("early"), newMachine());
    assert.equal(code, 12);
    assert.equal(stdout, "");
    assert.match(stderr, /is not trusted.*Nothing was sent/);
    assert.match(stderr, /code certificate_untrusted/);
    // The username is still available.
    assert.equal((await ironlease(registering("early", "--ca", harness.ca), newMachine())).code, 0);
  });

  test("login asks for no password before the service is trusted", async () => {
    const argv = ["login", "--url", harness.daemon.url];
    const { code, stderr } = await ironlease(argv, { ...newMachine(), answers: [] });
    assert.equal(code, 12);
    assert.doesNotMatch(stderr, /Username|Password/);
  });

  test("the error shows the certificate's fingerprint and a command that trusts it", async () => {
    const { stderr } = await ironlease(registering("shown"), newMachine());
    assert.ok(stderr.includes(`Its SHA-256 fingerprint is ${fingerprint}`));
    assert.match(stderr, /If not, stop/);
    const line = stderr.split("\n").find((text) => text.includes("--fingerprint")) ?? "";
    const [program, ...argv] = line.trim().split(" ");
    assert.equal(program, "ironlease");
    assert.equal((await ironlease(argv, newMachine())).code, 0);
  });

  test("next to the preview's data folder the error suggests --ca, but nothing is trusted automatically", async () => {
    const near = newMachine(harness.folder);
    const { code, stderr } = await ironlease(registering("beside"), near);
    assert.equal(code, 12);
    const line = stderr.split("\n").find((text) => text.includes("--ca")) ?? "";
    assert.match(line, /--ca data\/tls\/ca\.pem$/);
    const [, ...argv] = line.trim().split(" ");
    assert.equal((await ironlease(argv, near)).code, 0);
    // The profile stores the absolute path of the file.
    assert.equal((await ironlease(["whoami"], { env: near.env, cwd: "/" })).code, 0);
  });

  test("--fingerprint trusts a certificate in any notation and refuses another one with exit 12", async () => {
    const plain = fingerprint.replaceAll(":", "").toLowerCase();
    const trusting = newMachine();
    assert.equal(
      (await ironlease(registering("pinned", "--fingerprint", plain), trusting)).code,
      0,
    );
    assert.equal((await ironlease(["whoami"], { env: trusting.env })).code, 0);
    const other = `${fingerprint.startsWith("00") ? "11" : "00"}${fingerprint.slice(2)}`;
    const { code, stderr } = await ironlease(
      registering("fooled", "--fingerprint", other),
      newMachine(),
    );
    assert.equal(code, 12);
    assert.match(stderr, /a different certificate than the trusted one\. Nothing was sent/);
    const short = await ironlease(registering("short", "--fingerprint", "AB:CD"), newMachine());
    assert.equal(short.code, 2);
  });

  test("--ca with the CA of another service exits 12", async () => {
    const stranger = await openCliHarness();
    try {
      assert.notEqual(readFileSync(stranger.ca, "utf8"), readFileSync(harness.ca, "utf8"));
      const { code } = await ironlease(registering("wrong", "--ca", stranger.ca), newMachine());
      assert.equal(code, 12);
    } finally {
      await stranger.close();
    }
  });

  test("--ca with a missing file or without a certificate exits 2", async () => {
    const missing = await ironlease(registering("m", "--ca", "/nowhere/ca.pem"), newMachine());
    assert.equal(missing.code, 2);
    assert.match(missing.stderr, /Cannot read the CA file \/nowhere\/ca\.pem/);
    const other = await ironlease(registering("m", "--ca", import.meta.filename), newMachine());
    assert.equal(other.code, 2);
    assert.match(other.stderr, /is not a certificate/);
    assert.ok(new X509Certificate(readFileSync(harness.ca)).ca);
  });

  test("a session is never sent to a different URL", async () => {
    const customer = await harness.newCustomer();
    const elsewhere = harness.daemon.url.replace("localhost", "127.0.0.1");
    for (const around of [{ env: { IRONLEASE_URL: elsewhere } }, {}]) {
      const url = "env" in around ? [] : ["--url", elsewhere];
      const { code, stderr } = await customer.run(["whoami", ...url, "--ca", harness.ca], around);
      assert.equal(code, 4);
      assert.match(stderr, /Not signed in to https:\/\/127\.0\.0\.1/);
    }
  });

  test("an unreachable service exits 11 and names the URL", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const url = `https://localhost:${port}`;
    const { code, stderr } = await ironlease(["catalogue", "list", "--url", url], newMachine());
    assert.equal(code, 11);
    assert.match(stderr, new RegExp(`${url} cannot be reached: .*ECONNREFUSED`));
    assert.match(stderr, /--url URL/);
  });

  test("a service that accepts the connection but does not respond exits 11 after --timeout", async () => {
    const dead = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => dead.once("listening", resolve));
    const { port } = dead.address() as AddressInfo;
    const url = `https://localhost:${port}`;
    const argv = ["register", "late", "--url", url, "--password-stdin", "--timeout", "1"];
    const { code, stderr } = await ironlease(argv, { ...newMachine(), piped: password });
    dead.close();
    // Not 13, because without a TLS connection the account cannot have been created.
    assert.equal(code, 11, stderr);
    assert.match(stderr, /did not respond in time/);
    assert.match(stderr, /To wait longer, add --timeout SECONDS/);
    for (const timeout of ["0", "soon", "1.5"]) {
      const wrong = await ironlease(["catalogue", "list", "--timeout", timeout], newMachine());
      assert.equal(wrong.code, 2);
    }
  });

  test("an invalid or insecure URL exits 2 before anything is sent", async () => {
    for (const url of ["http://rent.example", "ftp://x", "https://u:p@rent.example", "::"]) {
      const { code } = await ironlease(["catalogue", "list", "--url", url], newMachine());
      assert.equal(code, 2, url);
    }
  });
});
