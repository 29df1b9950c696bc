import { createHash, createPrivateKey, type KeyObject, type webcrypto } from "node:crypto";
import { fingerprintOf } from "./ssh-key.ts";
import { WireReader } from "./wire-reader.ts";

type Jwk = webcrypto.JsonWebKey;

/** Says why a file is no private key that can open a message. */
export class UnusableKey extends Error {}

export interface PrivateKey {
  /** Of its public key, as ssh-keygen prints it. */
  readonly fingerprint: string;
  /** The public key in SSH's binary form. */
  readonly wire: Uint8Array;
  /** Undefined when a passphrase protects it. */
  readonly secret: Jwk | undefined;
}

const magic = "openssh-key-v1\0";
const opensshFile =
  /^-----BEGIN OPENSSH PRIVATE KEY-----\n([A-Za-z0-9+/=\n]*)-----END OPENSSH PRIVATE KEY-----$/;

/** Reads a private key of type Ed25519 or RSA, in OpenSSH's format or in PEM. */
export function readPrivateKey(text: string): PrivateKey {
  const file = text.trim().replaceAll("\r\n", "\n");
  const [, encoded] = opensshFile.exec(file) ?? [];
  if (encoded !== undefined) return readOpenssh(Buffer.from(encoded, "base64"));
  if (/^-----BEGIN ENCRYPTED|^Proc-Type: 4,ENCRYPTED/m.test(file)) {
    throw new UnusableKey("A passphrase protects this key.");
  }
  const secret = readPem(file).export({ format: "jwk" });
  return keyOf(wireOf(secret), secret);
}

function keyOf(wire: Uint8Array, secret: Jwk | undefined): PrivateKey {
  return { fingerprint: fingerprintOf(createHash("sha256").update(wire).digest()), wire, secret };
}

function readPem(text: string): KeyObject {
  try {
    return createPrivateKey(text);
  } catch {
    throw new UnusableKey("This is not a private key in OpenSSH or PEM format.");
  }
}

/** OpenSSL does not read this format (PROTOCOL.key of OpenSSH). */
function readOpenssh(file: Uint8Array): PrivateKey {
  try {
    const reader = new WireReader(file);
    if (Buffer.from(reader.take(magic.length)).toString("latin1") !== magic) {
      throw new RangeError("the first bytes are others");
    }
    const cipher = reader.word();
    // The key derivation, its options, and the number of keys, which is always one.
    reader.field();
    reader.field();
    reader.take(4);
    const wire = reader.field();
    return keyOf(wire, cipher === "none" ? readSecret(reader.field()) : undefined);
  } catch (error) {
    if (error instanceof RangeError) throw new UnusableKey("This private key is damaged.");
    throw error;
  }
}

function readSecret(section: Uint8Array): Jwk {
  const reader = new WireReader(section);
  // Two equal numbers, by which OpenSSH recognizes a wrong passphrase.
  reader.take(8);
  const type = reader.word();
  if (type === "ssh-ed25519") {
    const point = reader.field();
    return { kty: "OKP", crv: "Ed25519", x: text(point), d: text(reader.field().subarray(0, 32)) };
  }
  if (type !== "ssh-rsa") throw new UnusableKey(`age cannot use a key of type ${type}.`);
  const [n, e, d] = [reader.field(), reader.field(), reader.field()];
  const [qi, p, q] = [reader.field(), reader.field(), reader.field()];
  return {
    kty: "RSA",
    ...{ n: number(n), e: number(e), d: number(d), p: number(p), q: number(q), qi: number(qi) },
    ...{ dp: reduced(d, p), dq: reduced(d, q) },
  };
}

/** The exponent for one of the two primes, which OpenSSH does not store. */
function reduced(exponent: Uint8Array, prime: Uint8Array): string {
  const hex = (integerOf(exponent) % (integerOf(prime) - 1n)).toString(16);
  return text(Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex"));
}

function integerOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}

/** SSH writes a zero before a number whose first bit is set. JWK does not. */
function number(mpint: Uint8Array): string {
  return text(mpint[0] === 0 ? mpint.subarray(1) : mpint);
}

function wireOf({ kty, crv, x = "", n = "", e = "" }: Jwk): Uint8Array {
  const bytes = (value: string) => Buffer.from(value, "base64url");
  if (kty === "RSA") return joined(Buffer.from("ssh-rsa"), mpint(bytes(e)), mpint(bytes(n)));
  if (crv === "Ed25519") return joined(Buffer.from("ssh-ed25519"), bytes(x));
  throw new UnusableKey("age uses Ed25519 and RSA keys only.");
}

function mpint(magnitude: Buffer): Buffer {
  return (magnitude[0] ?? 0) < 0x80 ? magnitude : Buffer.concat([Buffer.from([0]), magnitude]);
}

function joined(...fields: readonly Buffer[]): Uint8Array {
  return Buffer.concat(
    fields.flatMap((field) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(field.length);
      return [length, field];
    }),
  );
}
