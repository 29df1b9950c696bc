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

describe("first contact with a service", () => {
  let place: CliHarness;
  let fingerprint: string;
  before(async () => {
    place = await openCliHarness();
    fingerprint = /([0-9A-F]{2}:){31}[0-9A-F]{2}/.exec(place.daemon.output())?.[0] ?? "";
  });
  after(() => place.close());

  const registering = (username: string, ...options: string[]) => [
    ...["register", username, "--url", place.daemon.url, "--password-stdin", ...options],
  ];
  const somewhere = (cwd = "/") => ({
    ...{ cwd, piped: password, env: { XDG_CONFIG_HOME: temporaryFolder() } },
  });

  test("a certificate that nobody vouches for is exit 12, and nothing is sent", async () => {
    const { code, stdout, stderr } = await ironlease(registering("early"), somewhere());
    assert.equal(code, 12);
    assert.equal(stdout, "");
    assert.match(stderr, /is not trusted.*Nothing was sent/);
    assert.match(stderr, /code certificate_untrusted/);
    // The name is still free.
    assert.equal((await ironlease(registering("early", "--ca", place.ca), somewhere())).code, 0);
  });

  test("nobody is asked for a password by a service that is not trusted", async () => {
    const argv = ["login", "--url", place.daemon.url];
    const { code, stderr } = await ironlease(argv, { ...somewhere(), answers: [] });
    assert.equal(code, 12);
    assert.doesNotMatch(stderr, /Username|Password/);
  });

  test("it is told which fingerprint was seen, and what to type if that is the right one", async () => {
    const { stderr } = await ironlease(registering("told"), somewhere());
    assert.ok(stderr.includes(`Its SHA-256 fingerprint is ${fingerprint}`));
    assert.match(stderr, /If not, stop/);
    const line = stderr.split("\n").find((text) => text.includes("--fingerprint")) ?? "";
    const [program, ...argv] = line.trim().split(" ");
    assert.equal(program, "ironlease");
    assert.equal((await ironlease(argv, somewhere())).code, 0);
  });

  test("beside the preview's data folder its authority is suggested, but never taken unasked", async () => {
    const near = somewhere(place.folder);
    const { code, stderr } = await ironlease(registering("beside"), near);
    assert.equal(code, 12);
    const line = stderr.split("\n").find((text) => text.includes("--ca")) ?? "";
    assert.match(line, /--ca data\/tls\/ca\.pem$/);
    const [, ...argv] = line.trim().split(" ");
    assert.equal((await ironlease(argv, near)).code, 0);
    // The file is known by its whole path from then on.
    assert.equal((await ironlease(["whoami"], { env: near.env, cwd: "/" })).code, 0);
  });

  test("a pinned fingerprint is enough, in any spelling; another one is refused", async () => {
    const plain = fingerprint.replaceAll(":", "").toLowerCase();
    const trusting = somewhere();
    assert.equal(
      (await ironlease(registering("pinned", "--fingerprint", plain), trusting)).code,
      0,
    );
    assert.equal((await ironlease(["whoami"], { env: trusting.env })).code, 0);
    const other = `${fingerprint.startsWith("00") ? "11" : "00"}${fingerprint.slice(2)}`;
    const { code, stderr } = await ironlease(
      registering("fooled", "--fingerprint", other),
      somewhere(),
    );
    assert.equal(code, 12);
    assert.match(stderr, /a different certificate than the trusted one\. Nothing was sent/);
    const short = await ironlease(registering("short", "--fingerprint", "AB:CD"), somewhere());
    assert.equal(short.code, 2);
  });

  test("an authority that has signed something else is refused", async () => {
    const stranger = await openCliHarness();
    try {
      assert.notEqual(readFileSync(stranger.ca, "utf8"), readFileSync(place.ca, "utf8"));
      const { code } = await ironlease(registering("wrong", "--ca", stranger.ca), somewhere());
      assert.equal(code, 12);
    } finally {
      await stranger.close();
    }
  });

  test("a file that is missing or no certificate is a mistake on this side", async () => {
    const missing = await ironlease(registering("m", "--ca", "/nowhere/ca.pem"), somewhere());
    assert.equal(missing.code, 2);
    assert.match(missing.stderr, /Cannot read the CA file \/nowhere\/ca\.pem/);
    const other = await ironlease(registering("m", "--ca", import.meta.filename), somewhere());
    assert.equal(other.code, 2);
    assert.match(other.stderr, /is not a certificate/);
    assert.ok(new X509Certificate(readFileSync(place.ca)).ca);
  });

  test("the session of one address is never sent to another", async () => {
    const customer = await place.newCustomer();
    const elsewhere = place.daemon.url.replace("localhost", "127.0.0.1");
    for (const around of [{ env: { IRONLEASE_URL: elsewhere } }, {}]) {
      const url = "env" in around ? [] : ["--url", elsewhere];
      const { code, stderr } = await customer.run(["whoami", ...url, "--ca", place.ca], around);
      assert.equal(code, 4);
      assert.match(stderr, /Not signed in to https:\/\/127\.0\.0\.1/);
    }
  });

  test("where nobody listens is exit 11, and says what was tried", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const url = `https://localhost:${port}`;
    const { code, stderr } = await ironlease(["catalogue", "list", "--url", url], somewhere());
    assert.equal(code, 11);
    assert.match(stderr, new RegExp(`${url} cannot be reached: .*ECONNREFUSED`));
    assert.match(stderr, /--url URL/);
  });

  test("a server that accepts and says nothing is given up after --timeout, and nothing was sent", async () => {
    const dead = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => dead.once("listening", resolve));
    const { port } = dead.address() as AddressInfo;
    const url = `https://localhost:${port}`;
    const argv = ["register", "nobody", "--url", url, "--password-stdin", "--timeout", "1"];
    const { code, stderr } = await ironlease(argv, { ...somewhere(), piped: password });
    dead.close();
    // Not 13: without a connection the account cannot have been made.
    assert.equal(code, 11, stderr);
    assert.match(stderr, /did not respond in time/);
    assert.match(stderr, /To wait longer, add --timeout SECONDS/);
    for (const timeout of ["0", "soon", "1.5"]) {
      const wrong = await ironlease(["catalogue", "list", "--timeout", timeout], somewhere());
      assert.equal(wrong.code, 2);
    }
  });

  test("an address that is none, or that is not safe, is refused before anything is sent", async () => {
    for (const url of ["http://rent.example", "ftp://x", "https://u:p@rent.example", "::"]) {
      const { code } = await ironlease(["catalogue", "list", "--url", url], somewhere());
      assert.equal(code, 2, url);
    }
  });
});
