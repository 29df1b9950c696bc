import "reflect-metadata";
import { createPrivateKey, KeyObject, randomBytes, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import * as x509 from "@peculiar/x509";
import type { CertificatePair as Pair } from "./certificate-files.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const authorityLifeMs = 3652 * dayMs;
// A new certificate must be valid for clients whose clock is slightly behind.
const backdatedMs = hourMs;
const p256 = { name: "ECDSA", namedCurve: "P-256" };

/** A local certificate authority, which users need to trust only once. */
export async function issueAuthority(now: number): Promise<Pair> {
  const keys = await crypto.subtle.generateKey(p256, true, ["sign", "verify"]);
  const notBefore = now - backdatedMs;
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    keys,
    serialNumber: randomSerial(),
    // Trust stores find issuers by name, so each authority needs its own.
    name: [{ CN: [`Ironlease local authority ${randomBytes(4).toString("hex")}`] }],
    notBefore: new Date(notBefore),
    notAfter: new Date(notBefore + authorityLifeMs),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return asPair(certificate, keys);
}

/** A server certificate for the given names, signed by the authority. */
export async function issueLeaf(
  signer: Pair,
  names: readonly string[],
  now: number,
  lifeMs: number,
): Promise<Pair> {
  const keys = await crypto.subtle.generateKey(p256, true, ["sign", "verify"]);
  const signingDer = createPrivateKey(signer.keyPem).export({ type: "pkcs8", format: "der" });
  const issuer = new x509.X509Certificate(signer.certificate.raw);
  const notBefore = Math.max(now - backdatedMs, issuer.notBefore.getTime());
  const certificate = await x509.X509CertificateGenerator.create({
    publicKey: keys.publicKey,
    signingKey: await crypto.subtle.importKey("pkcs8", signingDer, p256, false, ["sign"]),
    serialNumber: randomSerial(),
    subject: [{ CN: ["Ironlease"] }],
    issuer: issuer.subjectName,
    notBefore: new Date(notBefore),
    notAfter: new Date(Math.min(notBefore + lifeMs, issuer.notAfter.getTime())),
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(names.map(asGeneralName)),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
    ],
  });
  return asPair(certificate, keys);
}

function asGeneralName(value: string): x509.JsonGeneralName {
  return { type: isIP(value) === 0 ? "dns" : "ip", value };
}

function asPair(certificate: x509.X509Certificate, keys: CryptoKeyPair): Pair {
  const keyPem = KeyObject.from(keys.privateKey).export({ type: "pkcs8", format: "pem" });
  return { certificate: new X509Certificate(certificate.toString("pem")), keyPem };
}

function randomSerial(): string {
  const bytes = randomBytes(16);
  // Clear the first bit to keep the number positive, and set the second to keep it 16 bytes long.
  bytes.writeUInt8((bytes.readUInt8(0) & 0x7f) | 0x40, 0);
  return bytes.toString("hex");
}
