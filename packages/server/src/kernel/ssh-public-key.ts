import { createHash, createPublicKey } from "node:crypto";
import { limits } from "@ironlease/contract";
import { accepted, rejected, type Checked } from "./checked.ts";

export interface SshPublicKey {
  /** One line: type, base64 and the comment if any, separated by single spaces. */
  readonly publicKey: string;
  readonly type: SshKeyType;
  /** As ssh-keygen prints it. */
  readonly fingerprint: string;
}

export type SshKeyType = keyof typeof layouts;

/** Says what is wrong with one field of the key's binary form. Undefined when nothing is. */
type FieldCheck = (field: Buffer) => string | undefined;

const rsaBits = { min: 2_048, max: 16_384 } as const;

const refusals = {
  size: `must be at most ${limits.sshPublicKey.maxBytes} bytes`,
  privateKey: "is a private key; keep it secret and send the public key (the .pub file) instead",
  lines: "must be one line with one key; remove line breaks and other keys",
  form: "must be one OpenSSH public key line: ed25519, ecdsa, rsa with at least 2048 bits, or sk-",
  options: "must start with the key type; remove the authorized_keys options before it",
  certificate: "is a certificate; send the plain public key instead",
  dsa: "is a DSA key, which servers no longer accept; send an ed25519 key instead",
  damaged: "is damaged; copy the line from the .pub file again",
  rsaSize: `must have an RSA modulus of ${rsaBits.min} to ${rsaBits.max} bits; generate a new key`,
  comment: "must not contain control characters in its comment; remove the comment",
} as const;

/** The fields after the inner type, in order. A key with more or fewer is damaged. */
const layouts = {
  "ssh-ed25519": [ed25519Point],
  "ecdsa-sha2-nistp256": [exactly("nistp256"), curvePoint("P-256", 32)],
  "ecdsa-sha2-nistp384": [exactly("nistp384"), curvePoint("P-384", 48)],
  "ecdsa-sha2-nistp521": [exactly("nistp521"), curvePoint("P-521", 66)],
  "ssh-rsa": [rsaExponent, rsaModulus],
  "sk-ssh-ed25519@openssh.com": [ed25519Point, application],
  "sk-ecdsa-sha2-nistp256@openssh.com": [exactly("nistp256"), curvePoint("P-256", 32), application],
} as const satisfies Record<string, readonly FieldCheck[]>;

/** How private keys begin: OpenSSH, PEM, ssh.com and PuTTY, and OpenSSH without armour. */
const privateKeyMark =
  /^(?:-{4,5} ?BEGIN [A-Z0-9 ]*PRIVATE KEY|PuTTY-User-Key-File-|b3BlbnNzaC1rZXktdjE)/im;

const lineBreak = /[\n\v\f\r\u0085\u2028\u2029]/;

/** Bidirectional marks count as control characters, because they can disguise a comment. */
const controlCharacter = /[\p{Cc}\p{Bidi_Control}]/u;

/** Reads one OpenSSH public key, for orders and saved keys. */
export function readSshPublicKey(text: string): Checked<SshPublicKey> {
  if (text.length > limits.sshPublicKey.maxBytes) return rejected(refusals.size);
  if (Buffer.byteLength(text) > limits.sshPublicKey.maxBytes) return rejected(refusals.size);

  const line = text.trim();
  if (privateKeyMark.test(line)) return rejected(refusals.privateKey);
  if (lineBreak.test(line)) return rejected(refusals.lines);

  const [, type = "", base64 = "", comment] =
    /^([^ \t]+)[ \t]+([^ \t]+)(?:[ \t]+([^ \t].*))?$/.exec(line) ?? [];
  if (!isKeyType(type)) return rejected(reasonAgainst(line));

  const blob = Buffer.from(base64, "base64");
  // Node's decoder skips unknown characters, so only text that encodes back to itself is base64.
  if (blob.toString("base64") !== base64) return rejected(refusals.damaged);
  const fault = faultOf(blob, type);
  if (fault !== undefined) return rejected(fault);

  if (comment !== undefined && (controlCharacter.test(comment) || !comment.isWellFormed())) {
    return rejected(refusals.comment);
  }

  const digest = createHash("sha256").update(blob).digest("base64");
  return accepted({
    publicKey: [type, base64, ...(comment === undefined ? [] : [comment])].join(" "),
    type,
    fingerprint: `SHA256:${digest.replaceAll("=", "")}`,
  });
}

function isKeyType(word: string): word is SshKeyType {
  return Object.hasOwn(layouts, word);
}

/** Gives specific advice for common mistakes in pasting. */
function reasonAgainst(line: string): string {
  const words = line.split(/[ \t]+/);
  const first = words[0] ?? "";
  if (first.includes("-cert-v01@")) return refusals.certificate;
  if (first === "ssh-dss") return refusals.dsa;
  const namesTypeLater = words.some((word) => isKeyType(word) || word === "ssh-dss");
  return namesTypeLater && words.length > 2 ? refusals.options : refusals.form;
}

function faultOf(blob: Buffer, type: SshKeyType): string | undefined {
  const checks: readonly FieldCheck[] = [exactly(type), ...layouts[type]];
  const fields = splitFields(blob, checks.length);
  if (fields === undefined) return refusals.damaged;
  for (const [index, check] of checks.entries()) {
    const field = fields[index];
    const fault = field === undefined ? refusals.damaged : check(field);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Exactly `count` length-prefixed fields (RFC 4251), and nothing after the last. */
function splitFields(blob: Buffer, count: number): Buffer[] | undefined {
  const fields: Buffer[] = [];
  let at = 0;
  for (let index = 0; index < count; index += 1) {
    if (blob.length - at < 4) return undefined;
    const start = at + 4;
    const end = start + blob.readUInt32BE(at);
    if (end > blob.length) return undefined;
    fields.push(blob.subarray(start, end));
    at = end;
  }
  return at === blob.length ? fields : undefined;
}

function exactly(word: string): FieldCheck {
  return (field) => (field.equals(Buffer.from(word)) ? undefined : refusals.damaged);
}

function ed25519Point(field: Buffer): string | undefined {
  return field.length === 32 ? undefined : refusals.damaged;
}

/** An uncompressed point: sshd takes no other form, and OpenSSL refuses points off the curve. */
function curvePoint(crv: string, bytes: number): FieldCheck {
  return (field) => {
    if (field.length !== 1 + 2 * bytes || field[0] !== 0x04) return refusals.damaged;
    const x = field.subarray(1, 1 + bytes).toString("base64url");
    const y = field.subarray(1 + bytes).toString("base64url");
    try {
      createPublicKey({ key: { kty: "EC", crv, x, y }, format: "jwk" });
      return undefined;
    } catch {
      return refusals.damaged;
    }
  };
}

/** OpenSSL refuses longer exponents with a large modulus, and no tool generates them. */
function rsaExponent(field: Buffer): string | undefined {
  const bits = bitsOf(field);
  const good = bits !== undefined && bits >= 2 && bits <= 64 && isOdd(field);
  return good ? undefined : refusals.damaged;
}

function rsaModulus(field: Buffer): string | undefined {
  const bits = bitsOf(field);
  if (bits === undefined || !isOdd(field)) return refusals.damaged;
  return bits >= rsaBits.min && bits <= rsaBits.max ? undefined : refusals.rsaSize;
}

/** The origin a hardware key is bound to, usually "ssh:". */
function application(field: Buffer): string | undefined {
  return /^[\x20-\x7e]{1,255}$/.test(field.toString("latin1")) ? undefined : refusals.damaged;
}

/** The length of a positive integer in RFC 4251's shortest form. Undefined otherwise. */
function bitsOf(mpint: Buffer): number | undefined {
  const [first, second = 0] = mpint;
  if (first === undefined || first >= 0x80) return undefined;
  if (first === 0 && second < 0x80) return undefined;
  return mpint.length * 8 - (Math.clz32(first) - 24);
}

function isOdd(mpint: Buffer): boolean {
  return ((mpint.at(-1) ?? 0) & 1) === 1;
}
