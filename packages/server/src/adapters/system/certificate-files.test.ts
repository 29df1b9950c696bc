import "reflect-metadata";
import assert from "node:assert/strict";
import { createPrivateKey, KeyObject } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import * as x509 from "@peculiar/x509";
import { ensureCertificate, type EnsuredCertificate } from "./certificate.ts";
import { readCertificateFiles } from "./certificate-files.ts";

const now = Date.now();
let folder: string;
let issued: EnsuredCertificate;
let other: EnsuredCertificate;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "ironlease-certificate-files-"));
  issued = await ensureCertificate({ folder: join(folder, "issued"), names: ["localhost"], now });
  other = await ensureCertificate({ folder: join(folder, "other"), names: ["localhost"], now });
});

after(() => rm(folder, { recursive: true }));

async function read(certificate: string, key: string, at = now) {
  const certificatePath = join(folder, "own.crt");
  const keyPath = join(folder, "own.key");
  await writeFile(certificatePath, certificate);
  await writeFile(keyPath, key);
  return readCertificateFiles({ certificatePath, keyPath, now: at });
}

/** Every error is one sentence that names the file and the remedy, and quotes none of its content. */
async function assertRefused(reading: Promise<unknown>, file: string, what: RegExp): Promise<void> {
  await assert.rejects(reading, (error) => {
    assert.ok(error instanceof Error);
    assert.ok(error.message.includes(join(folder, file)), error.message);
    assert.match(error.message, what);
    assert.match(error.message, /^The (certificate|key) file [^\n]+: [^\n]+\.$/);
    assert.doesNotMatch(error.message, /MII|MIG/);
    return true;
  });
}

test("the operator's certificate and key are read with fingerprint and expiry", async () => {
  const { certificatePem, keyPem, fingerprint256, startsAt, expiresAt } = issued;
  const expected = { certificatePem, keyPem, fingerprint256, startsAt, expiresAt };
  assert.deepEqual(await read(certificatePem, keyPem), expected);
  const windowsFile = `a comment\r\n${certificatePem.replaceAll("\n", "\r\n")}`;
  assert.deepEqual(await read(windowsFile, keyPem), expected);
});

test("only the certificates are used from a certificate file that also contains the key", async () => {
  const both = `${issued.keyPem}${issued.certificatePem}`;
  const answer = await read(both, both);
  assert.equal(answer.certificatePem, issued.certificatePem);
  assert.equal(answer.keyPem, issued.keyPem);
});

test("a key in SEC1 format is accepted", async () => {
  const sec1 = createPrivateKey(issued.keyPem).export({ type: "sec1", format: "pem" });
  const parameters =
    "-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n";
  assert.equal((await read(issued.certificatePem, parameters + sec1)).keyPem, issued.keyPem);
});

test("a missing file is named in the error", async () => {
  const certificatePath = join(folder, "issued", "ca.pem");
  const missing = join(folder, "nowhere.pem");
  const noKey = readCertificateFiles({ certificatePath, keyPath: missing, now });
  await assertRefused(noKey, "nowhere.pem", /^The key file .* does not exist/);
  const nothing = readCertificateFiles({ certificatePath: missing, keyPath: missing, now });
  await assertRefused(nothing, "nowhere.pem", /^The certificate file .* does not exist/);
});

test("an unreadable file is named in the error", async () => {
  const keyPath = join(folder, "issued", "ca.pem", "own.key");
  const inFolder = readCertificateFiles({ certificatePath: folder, keyPath, now });
  await assertRefused(inFolder, "", /is a folder/);
  const certificatePath = join(folder, "issued", "ca.pem");
  const notReadable = readCertificateFiles({ certificatePath, keyPath, now });
  await assertRefused(notReadable, "issued/ca.pem/own.key", /cannot be read \(ENOTDIR\)/);
  await assertRefused(read("x".repeat(1_048_577), ""), "own.crt", /over 1 MiB/);
});

test("a file that is damaged, swapped with the other or not PEM is rejected", async () => {
  const { certificatePem, keyPem } = issued;
  for (const text of ["", "hello", "\0\x01\xff", keyPem]) {
    await assertRefused(read(text, keyPem), "own.crt", /contains no PEM certificate/);
  }
  for (const text of ["", "hello", certificatePem, keyPem.slice(0, 80)]) {
    await assertRefused(read(certificatePem, text), "own.key", /contains no PEM private key/);
  }
  const damaged = issued.caPem.replace("MII", "MIA");
  await assertRefused(read(damaged, keyPem), "own.crt", /damaged/);
  await assertRefused(read(certificatePem + damaged, keyPem), "own.crt", /damaged/);
});

test("a key with a passphrase is rejected", async () => {
  const lock = { format: "pem", cipher: "aes-256-cbc", passphrase: "secret" } as const;
  for (const type of ["pkcs8", "sec1"] as const) {
    const locked = createPrivateKey(issued.keyPem).export({ type, ...lock });
    await assertRefused(read(issued.certificatePem, locked), "own.key", /passphrase/);
  }
});

test("a key for another certificate or a chain in the wrong order is rejected", async () => {
  await assertRefused(read(issued.certificatePem, other.keyPem), "own.key", /does not match/);
  const reversed = read(issued.caPem + issued.certificatePem, issued.keyPem);
  await assertRefused(reversed, "own.crt", /does not match .* put that certificate first/);
});

test("a certificate is accepted only within its validity period", async () => {
  const { certificatePem, keyPem, expiresAt } = issued;
  const from = expiresAt - 397 * 86_400_000;
  await assertRefused(read(certificatePem, keyPem, from - 1), "own.crt", /is not valid before/);
  await assertRefused(read(certificatePem, keyPem, expiresAt + 1), "own.crt", /expired at/);
  for (const at of [from, expiresAt]) {
    assert.equal((await read(certificatePem, keyPem, at)).expiresAt, expiresAt);
  }
});

test("a key too weak for TLS is rejected at start, not at the first connection", async () => {
  const rsa = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256", modulusLength: 1024 };
  const publicExponent = Uint8Array.of(1, 0, 1);
  const keys = await crypto.subtle.generateKey({ ...rsa, publicExponent }, true, [
    "sign",
    "verify",
  ]);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    keys,
    name: "CN=weak",
    notBefore: new Date(now - 1_000),
  });
  const keyPem = KeyObject.from(keys.privateKey).export({ type: "pkcs8", format: "pem" });
  const weak = read(certificate.toString("pem"), keyPem);
  await assertRefused(weak, "own.crt", /too weak for TLS/);
});

test("the operator's files are not modified", async () => {
  await read(issued.certificatePem, issued.keyPem);
  assert.equal(await readFile(join(folder, "own.crt"), "utf8"), issued.certificatePem);
  assert.equal(await readFile(join(folder, "own.key"), "utf8"), issued.keyPem);
});
