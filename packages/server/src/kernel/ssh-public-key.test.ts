import assert from "node:assert/strict";
import { createHash, generateKeyPairSync } from "node:crypto";
import { describe, test } from "node:test";
import fc from "fast-check";
import { readSshPublicKey } from "./ssh-public-key.ts";

/** Made with OpenSSH's ssh-keygen, with the fingerprints it printed. */
const made = {
  ed25519: {
    line: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPcoqm+HKj4J7nbXt1gS+K95Fb453pSPmQKMWPwpwNUd ada@laptop",
    fingerprint: "SHA256:b2Onw8gnLyhghEgMpbU+4Abq/CkDm11s7JT/HCH2gIk",
  },
  p256: {
    line: "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBD8W51xml5q1jj43Mnms6MFTSqKkHPbtxtuH1dieaKKHtLY9glvVyrHptMWh92huwCKmv0fflSFraUZF53TjLYQ= ecdsa 256",
    fingerprint: "SHA256:i1GGKo1Xp7SmpgvhVg5y2y1zNfoXBdYOAnezHBSKO3g",
  },
  p384: {
    line: "ecdsa-sha2-nistp384 AAAAE2VjZHNhLXNoYTItbmlzdHAzODQAAAAIbmlzdHAzODQAAABhBPxJhBnHpqjmNIl/Uqnl5AUefrt9PaDAGFypn2G0AUTleG3jhTjPqu/OMH7ZzUMFlkAkE2YcNk8DAsQHeBfdP90re7uJ2xMBfrhAWfd8bzUQWpaqivLJJ7wBP+13W9Ix4g== ecdsa 384",
    fingerprint: "SHA256:MAwhQrMa4jfp3d4DNqbcAkCYt9XdsOxL4PP7VaQJH74",
  },
  p521: {
    line: "ecdsa-sha2-nistp521 AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1MjEAAACFBAEUjwlXdP+VEIdY19N3WFCQ+/vvACJHvWOusSriyh0Qldopp69tkjIAzBKUN068TFGLxobQ9M/3gN35ovBU7DqLsQF47i9vzxilzdrts/g4YC9A0St7x3CUrKOacmmvsr3ZdFmBHqGq6RjWGMm96gfqLEdGocMCkSjYpK3SX56Tmz4cjA== ecdsa 521",
    fingerprint: "SHA256:w0IHYP4T6qzVez+0/oyabJOmAyaRoPBRuOdF/Sml8i8",
  },
  rsa: {
    line: "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQDBizvX7HFHeZOYab8+C5t+cmLobz8huUk4i1gnjrlmn7Ha664pFz1dMlntEAFGRuvn+/YQ+xST/dUgZgtbChpDEjOrlvP8lucYoXL2zBNvvzOdt9mDxI/fzlauogrsio57evAi0ELdoux1cjPeKZUNEpAdmD1OB7imvyKpT9cRqwh7lj9k3tBtf2+qwofC/cFeHk5vsU9RiWUaZFqB3ZL9WegMfavPoJ/J6SzQ4wqAn1iDeE/ryrkUE2Opf4WK8o4q/2ivti2WNprL2nq+xcJmUAEDhXRDp/VeDAmDHgmMMcX3gyhsYj8bqdHkB0j1LEK19mzm1kgwecfr3+JTtr0L",
    fingerprint: "SHA256:a+lfwJAsBWezE8op1cFV+OePggerhyqSq045+HI8EQk",
  },
} as const;

const good = made.ed25519.line;
const [, goodBase64 = ""] = good.split(" ");

function blobOf(...fields: (string | Buffer)[]): Buffer {
  const parts = fields.map((field) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(Buffer.byteLength(field));
    return Buffer.concat([length, Buffer.from(field)]);
  });
  return Buffer.concat(parts);
}

function lineOf(type: string, blob: Buffer): string {
  return `${type} ${blob.toString("base64")}`;
}

/** A key whose outer and inner type agree. */
function keyOf(type: string, ...fields: (string | Buffer)[]): string {
  return lineOf(type, blobOf(type, ...fields));
}

/** An odd number of exactly that many bits, as an mpint. */
function mpintOf(bits: number): Buffer {
  const hex = ((1n << BigInt(bits - 1)) | 1n).toString(16);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  return Buffer.from(Number.parseInt(even.slice(0, 2), 16) >= 0x80 ? `00${even}` : even, "hex");
}

const exponent = Buffer.of(1, 0, 1);
const { publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const { x = "", y = "" } = publicKey.export({ format: "jwk" });
const coordinates = [x, y].map((coordinate) => Buffer.from(coordinate, "base64url"));
const point = Buffer.concat([Buffer.of(4), ...coordinates]);

function assertRefused(text: string, reason: RegExp): void {
  const read = readSshPublicKey(text);
  assert.ok(!read.ok, `accepted ${JSON.stringify(text.slice(0, 80))}`);
  assert.match(read.message, reason);
}

describe("readSshPublicKey", () => {
  for (const [name, { line, fingerprint }] of Object.entries(made)) {
    test(`an OpenSSH ${name} key is accepted with ssh-keygen's fingerprint`, () => {
      const value = { publicKey: line, type: line.split(" ")[0], fingerprint };
      assert.deepEqual(readSshPublicKey(line), { ok: true, value });
    });
  }

  test("hardware keys of both kinds are accepted", () => {
    const keys = [
      keyOf("sk-ssh-ed25519@openssh.com", Buffer.alloc(32, 7), "ssh:"),
      keyOf("sk-ecdsa-sha2-nistp256@openssh.com", "nistp256", point, "ssh:work"),
    ];
    for (const key of keys) assert.ok(readSshPublicKey(key).ok, key);
  });

  test("keys that node:crypto makes are accepted with the hash of their blob as fingerprint", () => {
    const raw = generateKeyPairSync("ed25519").publicKey.export({ format: "raw-public" });
    const blob = blobOf("ssh-ed25519", raw);
    const read = readSshPublicKey(lineOf("ssh-ed25519", blob));
    assert.ok(read.ok);
    const digest = createHash("sha256").update(blob).digest("base64");
    assert.equal(`${read.value.fingerprint}=`, `SHA256:${digest}`);
  });

  test("white space around the key and between its parts is collapsed, and kept inside the comment", () => {
    const read = readSshPublicKey(`\r\n\t ssh-ed25519 \t ${goodBase64}   my  laptop \n\n`);
    assert.ok(read.ok);
    assert.equal(read.value.publicKey, `ssh-ed25519 ${goodBase64} my  laptop`);
    assert.equal(read.value.fingerprint, made.ed25519.fingerprint);
  });

  test("a private key of any kind is refused as a private key", () => {
    const pem = ["OPENSSH ", "RSA ", "EC ", "ENCRYPTED ", ""].map(
      (kind) => `-----BEGIN ${kind}PRIVATE KEY-----`,
    );
    const others = ["---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----", "PuTTY-User-Key-File-3: ssh-rsa"];
    for (const mark of [...pem, ...others, "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ=="]) {
      assertRefused(`${mark}\nAAAA\n`, /^is a private key; /);
      assertRefused(`${good}\n${mark}\nAAAA\n`, /^is a private key; /);
    }
  });

  test("several lines are refused, whatever separates them", () => {
    for (const lineBreak of ["\n", "\r\n", "\r", "\v", "\f", "\u0085", "\u2028", "\u2029"]) {
      assertRefused(`${good}${lineBreak}${made.p256.line}`, /^must be one line/);
    }
    assertRefused("---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n---- END ----", /^must be one line/);
  });

  test("authorized_keys options before the type are refused", () => {
    const options = ["no-pty", 'command="echo ssh hi"', 'from="10.0.0.1",no-pty', "*", "@x"];
    for (const option of options) assertRefused(`${option} ${good}`, /options/);
  });

  test("other kinds of key are refused", () => {
    assertRefused(keyOf("ssh-dss", "p", "q", "g", "y"), /^is a DSA key/);
    assertRefused(keyOf("ssh-rsa-cert-v01@openssh.com", "nonce"), /^is a certificate/);
    for (const type of ["ssh-ed448", "SSH-ED25519", "rsa-sha2-256", "constructor", "__proto__"]) {
      assertRefused(keyOf(type, Buffer.alloc(32)), /^must be one OpenSSH/);
    }
    for (const text of ["", " ", "ssh-ed25519", "hello", goodBase64, "ssh-ed25519  "]) {
      assertRefused(text, /^must be one OpenSSH/);
    }
  });

  test("an inner type or curve that differs from the outer type is refused", () => {
    const inner = blobOf("ssh-rsa", Buffer.alloc(32));
    assertRefused(lineOf("ssh-ed25519", inner), /damaged/);
    assertRefused(`sk-ssh-ed25519@openssh.com ${goodBase64}`, /damaged/);
    assertRefused(keyOf("ecdsa-sha2-nistp256", "nistp384", point), /damaged/);
  });

  test("fields of the wrong length or number are refused", () => {
    for (const length of [0, 31, 33, 64]) {
      assertRefused(keyOf("ssh-ed25519", Buffer.alloc(length)), /damaged/);
    }
    assertRefused(keyOf("ssh-ed25519"), /damaged/);
    assertRefused(keyOf("ssh-ed25519", Buffer.alloc(32), "more"), /damaged/);
    for (const rest of [[], [""], ["ssh:\n"], ["ssh:", "more"]]) {
      assertRefused(keyOf("sk-ssh-ed25519@openssh.com", Buffer.alloc(32), ...rest), /damaged/);
    }
    const overlong = Buffer.concat([blobOf("ssh-ed25519"), Buffer.from("ffffffff00", "hex")]);
    assertRefused(lineOf("ssh-ed25519", overlong), /damaged/);
  });

  test("a point that is not on its curve, or not uncompressed, is refused", () => {
    const offCurve = Buffer.from(point);
    offCurve[64] = (offCurve[64] ?? 0) ^ 1;
    const compressed = Buffer.concat([Buffer.of(2), point.subarray(1, 33)]);
    const hybrid = Buffer.concat([Buffer.of(6), point.subarray(1)]);
    const zero = Buffer.concat([Buffer.of(4), Buffer.alloc(64)]);
    for (const bad of [offCurve, compressed, hybrid, zero, Buffer.of(0)]) {
      assertRefused(keyOf("ecdsa-sha2-nistp256", "nistp256", bad), /damaged/);
    }
  });

  test("a point's coordinate has one encoding: x = 5 is accepted and x = p + 5 is not", () => {
    const root = "459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc";
    const unreduced = "ffffffff00000001000000000000000000000001000000000000000000000004";
    const [five, other] = ["5".padStart(64, "0"), unreduced].map((hex) =>
      keyOf("ecdsa-sha2-nistp256", "nistp256", Buffer.from(`04${hex}${root}`, "hex")),
    );
    assert.ok(readSshPublicKey(five ?? "").ok);
    assertRefused(other ?? "", /damaged/);
  });

  test("an RSA modulus has 2048 to 16384 bits", () => {
    for (const bits of [2_048, 2_049, 3_072, 4_096, 16_384]) {
      assert.ok(readSshPublicKey(keyOf("ssh-rsa", exponent, mpintOf(bits))).ok, `${bits}`);
    }
    for (const bits of [512, 1_024, 2_047, 16_385]) {
      assertRefused(keyOf("ssh-rsa", exponent, mpintOf(bits)), /2048 to 16384/);
    }
  });

  test("RSA numbers that are negative, padded, even or degenerate are refused", () => {
    const modulus = mpintOf(2_048);
    const even = Buffer.from(modulus);
    even[even.length - 1] = 2;
    const padded = Buffer.concat([Buffer.alloc(1), mpintOf(2_049)]);
    for (const bad of [modulus.subarray(1), even, padded, Buffer.alloc(0), Buffer.alloc(257)]) {
      assertRefused(keyOf("ssh-rsa", exponent, bad), /damaged/);
    }
    for (const bad of ["", "00", "01", "02", "04", "81", "0003", "010001000000000001"]) {
      assertRefused(keyOf("ssh-rsa", Buffer.from(bad, "hex"), modulus), /damaged/);
    }
  });

  test("base64 that is not canonical is refused", () => {
    const [, padded = ""] = made.p256.line.split(" ");
    const wrong = [padded.slice(0, -1), `${padded}=`, `${padded}AAAA`, padded.replace("Q=", "R=")];
    for (const base64 of wrong) assertRefused(`ecdsa-sha2-nistp256 ${base64}`, /damaged/);
    const strange = goodBase64.replaceAll("+", "-");
    for (const base64 of [strange, `${goodBase64}!`, `*${goodBase64}`, "AAAA\u00a0AAAA"]) {
      assertRefused(`ssh-ed25519 ${base64}`, /damaged/);
    }
  });

  test("a comment with control characters or unpaired surrogates is refused", () => {
    const marks = ["\0", "\u0007", "\t", "\u001b[31m", "\u007f", "\u009b", "\u202e", "\ud800"];
    for (const mark of marks) assertRefused(`${good} a${mark}b`, /comment/);
    assert.ok(readSshPublicKey(`ssh-ed25519 ${goodBase64} Zoë 🔑 "x" # y`).ok);
  });

  test("at most 8 KiB of UTF-8 is read", () => {
    const room = 8_192 - good.length;
    assert.ok(readSshPublicKey(good + "x".repeat(room)).ok);
    assertRefused(good + "x".repeat(room + 1), /8192 bytes/);
    assert.ok(readSshPublicKey(good + "é".repeat(Math.floor(room / 2))).ok);
    assertRefused(good + "é".repeat(Math.floor(room / 2) + 1), /8192 bytes/);
    assertRefused(`${good}${" ".repeat(8_192)}`, /8192 bytes/);
  });

  test("a key whose blob is cut short or extended is refused", () => {
    const keys = fc.constantFrom(...Object.values(made));
    const additions = fc.uint8Array({ minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(keys, fc.nat(), additions, (key, at, addition) => {
        const [type = "", base64 = ""] = key.line.split(" ");
        const blob = Buffer.from(base64, "base64");
        assert.ok(!readSshPublicKey(lineOf(type, blob.subarray(0, at % blob.length))).ok);
        assert.ok(!readSshPublicKey(lineOf(type, Buffer.concat([blob, addition]))).ok);
      }),
    );
  });

  test("an accepted key reads back unchanged, and no text makes it throw", () => {
    const unit = fc.nat(0xffff).map((code) => String.fromCharCode(code));
    const anything = fc.string({ unit, maxLength: 60 });
    fc.assert(
      fc.property(anything, anything, (before, after) => {
        for (const text of [`${before}${after}`, `${before}${good}${after}`, `${good} ${after}`]) {
          const read = readSshPublicKey(text);
          if (read.ok) assert.deepEqual(readSshPublicKey(read.value.publicKey), read);
        }
      }),
    );
  });
});
