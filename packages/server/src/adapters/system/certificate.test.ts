import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test, type TestContext } from "node:test";
import { connect } from "node:tls";
import { ensureCertificate, type EnsuredCertificate } from "./certificate.ts";

const dayMs = 86_400_000;
const now = Date.now();
// A letter in the last bytes of the first PEM block, which are part of a signature or a key.
const ending = /[\w+/](?=[\w+/]{2}=*\n-----END)/;
const names = ["localhost", "127.0.0.1", "::1"];

async function emptyFolder(t: TestContext): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), "ironlease-certificate-"));
  t.after(() => rm(parent, { recursive: true }));
  return join(parent, "tls");
}

function assertMatches(issued: EnsuredCertificate): X509Certificate {
  const leaf = new X509Certificate(issued.certificatePem);
  const authority = new X509Certificate(issued.caPem);
  assert.ok(leaf.checkPrivateKey(createPrivateKey(issued.keyPem)));
  assert.ok(leaf.checkIssued(authority) && leaf.verify(authority.publicKey));
  assert.equal(leaf.fingerprint256, issued.fingerprint256);
  assert.equal(leaf.validToDate.getTime(), issued.expiresAt);
  return leaf;
}

async function modeOf(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}

test("a client that trusts the authority can connect by host name and by address", async (t) => {
  const issued = await ensureCertificate({ folder: await emptyFolder(t), names, now });
  const server = createServer({ cert: issued.certificatePem, key: issued.keyPem });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const ca = await readFile(issued.caPath, "utf8");
  for (const host of ["localhost", "127.0.0.1"]) {
    const socket = connect({ host, port, ca });
    await once(socket, "secureConnect");
    assert.equal(socket.authorized, true);
    assert.equal(socket.getPeerX509Certificate()?.fingerprint256, issued.fingerprint256);
    socket.destroy();
  }
  const stranger = connect({ host: "127.0.0.1", port, servername: "localhost" });
  const [error] = await once(stranger, "error");
  assert.match(String(error), /self-signed certificate in certificate chain/);
  const misnamed = connect({ host: "127.0.0.1", port, ca, servername: "example.com" });
  const [mismatch] = await once(misnamed, "error");
  assert.match(String(mismatch), /does not match certificate's altnames/);
});

test("the authority may only sign leaves, and a leaf may only serve, for 397 days", async (t) => {
  const issued = await ensureCertificate({ folder: await emptyFolder(t), names, now });
  const leaf = assertMatches(issued);
  const authority = new X509Certificate(issued.caPem);
  assert.ok(authority.ca && !leaf.ca);
  assert.deepEqual(leaf.keyUsage, ["1.3.6.1.5.5.7.3.1"]);
  const san = "DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1";
  assert.equal(leaf.subjectAltName, san);
  assert.equal(leaf.validToDate.getTime() - leaf.validFromDate.getTime(), 397 * dayMs);
  assert.ok(authority.validToDate.getTime() > now + 3650 * dayMs);
  assert.equal(issued.certificatePem, leaf.toString() + issued.caPem);
  for (const { serialNumber } of [leaf, authority])
    assert.match(serialNumber, /^[4-7][0-9A-F]{31}$/);
  // basicConstraints CA:true pathlen:0 and keyUsage keyCertSign|cRLSign, both critical, in DER.
  assert.ok(authority.raw.includes(Buffer.from("0603551d130101ff040830060101ff020100", "hex")));
  assert.ok(authority.raw.includes(Buffer.from("0603551d0f0101ff040403020106", "hex")));
});

test("a later start keeps the certificate", async (t) => {
  const folder = await emptyFolder(t);
  const first = await ensureCertificate({ folder, names, now });
  const later = now + 300 * dayMs;
  const second = await ensureCertificate({ folder, names: ["LOCALHOST"], now: later });
  assert.deepEqual(second, { ...first, created: false });
  assert.equal(first.created, true);
});

test("a leaf that expires soon or is not yet valid is renewed by the same authority", async (t) => {
  const folder = await emptyFolder(t);
  const first = await ensureCertificate({ folder, names, now });
  const dueAt = first.expiresAt - 30 * dayMs;
  const kept = await ensureCertificate({ folder, names, now: dueAt - 1 });
  assert.equal(kept.created, false);
  const renewed = await ensureCertificate({ folder, names, now: dueAt });
  assertMatches(renewed);
  assert.ok(renewed.created && renewed.caPem === first.caPem && renewed.keyPem !== first.keyPem);
  assert.ok(renewed.expiresAt > dueAt + 396 * dayMs);
  const early = await ensureCertificate({ folder, names, now });
  assert.ok(early.created && early.caPem === first.caPem && early.expiresAt === first.expiresAt);
  assert.deepEqual((await readdir(folder)).toSorted(), ["ca.pem", "set-000003"]);
});

test("no leaf outlives its authority, and an authority that expires soon is replaced", async (t) => {
  const folder = await emptyFolder(t);
  const first = await ensureCertificate({ folder, names, now });
  const end = new X509Certificate(first.caPem).validToDate.getTime();
  const last = await ensureCertificate({ folder, names, now: end - 100 * dayMs });
  assert.ok(last.caPem === first.caPem && last.expiresAt === end);
  const next = await ensureCertificate({ folder, names, now: end - 30 * dayMs });
  assertMatches(next);
  assert.notEqual(next.caPem, first.caPem);
  assert.equal(await readFile(next.caPath, "utf8"), next.caPem);
});

test("dates past 2050 and a renewal window longer than a leaf's life work", async (t) => {
  const request = {
    folder: await emptyFolder(t),
    names,
    now: Date.UTC(2055, 0),
    renewBeforeMs: 1e12,
  };
  assert.ok(assertMatches(await ensureCertificate(request)).validToDate.getUTCFullYear() === 2056);
  assert.equal((await ensureCertificate(request)).created, false);
});

test("a name that the leaf does not cover causes a new leaf from the same authority", async (t) => {
  const folder = await emptyFolder(t);
  const first = await ensureCertificate({ folder, names, now });
  for (const added of ["desk.example.com", "192.0.2.7", "2001:db8::7"]) {
    const next = await ensureCertificate({ folder, names: [...names, added], now });
    const leaf = assertMatches(next);
    assert.ok(next.created && next.caPem === first.caPem);
    assert.equal(leaf.checkHost(added) ?? leaf.checkIP(added), added);
  }
});

test("a name that is neither a host name nor an address is rejected", async (t) => {
  const folder = await emptyFolder(t);
  for (const name of "|a b|[::1]|fe80::1%eth0|1.2.3|*.a.com|a..b|a:80|-a|a,b".split("|")) {
    const making = ensureCertificate({ folder, names: [name], now });
    await assert.rejects(making, /host names or IP addresses/, name);
  }
  await assert.rejects(ensureCertificate({ folder, names: [], now }), /from 1 to 100 names/);
});

test("only the owner can read the files, even after their modes were changed", async (t) => {
  const folder = await emptyFolder(t);
  await mkdir(folder, { mode: 0o755 });
  const first = await ensureCertificate({ folder, names, now });
  const set = join(folder, "set-000001");
  const files = ["ca.key", "ca.pem", "server.key", "server.pem"].map((name) => join(set, name));
  for (const path of files) assert.equal(await modeOf(path), "600", path);
  for (const path of [folder, set]) assert.equal(await modeOf(path), "700", path);
  for (const path of files) await chmod(path, 0o644);
  await chmod(folder, 0o755);
  assert.deepEqual(await ensureCertificate({ folder, names, now }), { ...first, created: false });
  for (const path of files) assert.equal(await modeOf(path), "600", path);
  assert.equal(await modeOf(folder), "700");
});

test("a damaged, missing or foreign file is replaced, and the authority only if necessary", async (t) => {
  const foreign = await ensureCertificate({ folder: await emptyFolder(t), names, now });
  const damages: Record<string, (path: string, text: string) => Promise<void>> = {
    missing: (path) => rm(path),
    empty: (path) => writeFile(path, ""),
    truncated: (path, text) => writeFile(path, text.slice(0, 100)),
    foreign: (path) => writeFile(path, path.endsWith("key") ? foreign.keyPem : foreign.caPem),
    altered: (path, text) =>
      writeFile(
        path,
        text.replace(ending, (it) => (it < "B" ? "B" : "A")),
      ),
    "a folder": (path) => rm(path).then(() => mkdir(path)),
  };
  for (const [name, damage] of Object.entries(damages)) {
    for (const file of ["ca.key", "ca.pem", "server.key", "server.pem"]) {
      const folder = await emptyFolder(t);
      const first = await ensureCertificate({ folder, names, now });
      const path = join(folder, "set-000001", file);
      await damage(path, await readFile(path, "utf8"));
      const next = await ensureCertificate({ folder, names, now });
      assertMatches(next);
      assert.ok(next.created, `${name} ${file}`);
      assert.equal(next.caPem === first.caPem, file.startsWith("server"), `${name} ${file}`);
      assert.equal(await readFile(next.caPath, "utf8"), next.caPem);
    }
  }
});

test("a deleted ca.pem is restored, and leftovers of a crash are ignored and removed", async (t) => {
  const folder = await emptyFolder(t);
  await mkdir(join(folder, ".making-crash"), { recursive: true });
  await writeFile(join(folder, ".making-crash", "server.key"), "half a k");
  const first = await ensureCertificate({ folder, names, now });
  await rm(first.caPath);
  assert.equal((await ensureCertificate({ folder, names, now })).created, false);
  assert.equal(await readFile(first.caPath, "utf8"), first.caPem);
  assert.deepEqual((await readdir(folder)).toSorted(), [".making-crash", "ca.pem", "set-000001"]);
  await ensureCertificate({ folder, names, now: now + dayMs });
  assert.deepEqual((await readdir(folder)).toSorted(), ["ca.pem", "set-000001"]);
});

test("20 processes that issue and renew concurrently end with one certificate", async (t) => {
  const folder = await emptyFolder(t);
  const module = new URL("certificate.ts", import.meta.url).href;
  // Each process handles one request per line, so that all of them are ready before the first request.
  const program = `
    const { ensureCertificate } = await import(${JSON.stringify(module)});
    const { createInterface } = await import("node:readline");
    console.log("ready");
    for await (const line of createInterface({ input: process.stdin })) {
      console.log(JSON.stringify(await ensureCertificate(JSON.parse(line))));
    }`;
  const processes = Array.from({ length: 20 }, () => {
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
  });
  t.after(() => processes.forEach(({ child }) => child.stdin.end()));
  const answers = () => Promise.all(processes.map(async ({ lines }) => (await lines.next()).value));
  assert.deepEqual(new Set(await answers()), new Set(["ready"]));

  const authorities = new Set<string>();
  for (const at of [now, now + 390 * dayMs]) {
    const request = JSON.stringify({ folder, names, now: at });
    for (const { child } of processes) child.stdin.write(`${request}\n`);
    const issued = (await answers()).map((line) => JSON.parse(line ?? "") as EnsuredCertificate);
    issued.forEach(assertMatches);
    assert.equal(issued.filter(({ created }) => created).length, 1);
    assert.equal(
      new Set(issued.map(({ certificatePem, keyPem }) => certificatePem + keyPem)).size,
      1,
    );
    authorities.add(issued[0]?.caPem ?? "");
  }
  assert.equal(authorities.size, 1);
  assert.deepEqual((await readdir(folder)).toSorted(), ["ca.pem", "set-000002"]);
});
