import "reflect-metadata";
import assert from "node:assert/strict";
import { KeyObject } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { connect, type ConnectionOptions } from "node:tls";
import * as x509 from "@peculiar/x509";
import { startTestService, type TestService } from "#test/service.ts";

describe("TLS", () => {
  const folder = mkdtempSync(join(tmpdir(), "ironlease-tls-"));
  const [certificatePath, keyPath] = [join(folder, "rsa.pem"), join(folder, "rsa.key")];
  let service: TestService;
  let ca = "";
  before(async () => {
    await writeRsaCertificate(certificatePath, keyPath);
    service = await startTestService("sqlite", {
      settings: { IRONLEASE_TLS: `${certificatePath},${keyPath}` },
    });
    // A new certificate replaces the TLS context, which must keep the rules.
    ca = await writeRsaCertificate(certificatePath, keyPath);
    await certificateReplaced();
  });
  after(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const certificateReplaced = async () => {
    const giveUpAt = performance.now() + 120_000;
    while (!service.logged.some((line) => line.includes("replaced the certificate"))) {
      assert.ok(performance.now() < giveUpAt, "the certificate was never replaced");
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

  /** The negotiated protocol and cipher suite, or undefined if the handshake fails. */
  const negotiate = (url: string, options: ConnectionOptions) =>
    new Promise<string | undefined>((resolve) => {
      const port = Number(new URL(url).port);
      const socket = connect({ host: "127.0.0.1", servername: "localhost", port, ca, ...options });
      socket.on("secureConnect", () => {
        resolve(`${socket.getProtocol()} ${socket.getCipher().name}`);
        socket.destroy();
      });
      socket.on("error", () => resolve(undefined));
    });

  const version12 = { maxVersion: "TLSv1.2" } as const;

  test("TLS 1.3 is preferred, and versions before 1.2 are refused", async () => {
    for (const url of [service.url, service.operatorUrl]) {
      assert.match((await negotiate(url, {})) ?? "", /^TLSv1\.3 TLS_AES_256_GCM_SHA384$/);
      const outdated = { minVersion: "TLSv1", maxVersion: "TLSv1.1" } as const;
      assert.equal(await negotiate(url, { ...outdated, ciphers: "DEFAULT@SECLEVEL=0" }), undefined);
    }
  });

  test("with TLS 1.2, every suite has forward secrecy and authenticated encryption", async () => {
    for (const url of [service.url, service.operatorUrl]) {
      for (const ciphers of ["ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-RSA-CHACHA20-POLY1305"]) {
        assert.equal(await negotiate(url, { ...version12, ciphers }), `TLSv1.2 ${ciphers}`);
      }
      for (const ciphers of ["AES128-GCM-SHA256", "AES256-SHA", "ECDHE-RSA-AES128-SHA"]) {
        assert.equal(await negotiate(url, { ...version12, ciphers }), undefined, ciphers);
      }
    }
  });
});

/** With an RSA key, because suites without forward secrecy need one. */
async function writeRsaCertificate(certificatePath: string, keyPath: string): Promise<string> {
  const algorithm = {
    name: "RSASSA-PKCS1-v1_5",
    hash: "SHA-256",
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  };
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    keys,
    name: "CN=localhost",
    notBefore: new Date(Date.now() - 3_600_000),
    notAfter: new Date(Date.now() + 86_400_000),
    extensions: [
      new x509.SubjectAlternativeNameExtension([
        { type: "dns", value: "localhost" },
        { type: "ip", value: "127.0.0.1" },
      ]),
    ],
  });
  writeFileSync(certificatePath, certificate.toString("pem"));
  const key = KeyObject.from(keys.privateKey).export({ type: "pkcs8", format: "pem" });
  writeFileSync(keyPath, key, { mode: 0o600 });
  return certificate.toString("pem");
}
