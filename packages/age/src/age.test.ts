import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { skipWithout } from "#test/components.ts";
import { programOf, type RunProgram } from "#test/run-component.ts";
import { newSshKey } from "#test/ssh-keys.ts";
import { readRecipients, tagOf } from "./index.ts";
import { openText, readPrivateKey } from "./open.ts";
import { sealText } from "./seal.ts";

const missing = [await skipWithout("age"), await skipWithout("openssh")];
const skip = missing.find((reason) => reason !== false) ?? false;
const secret = "root password: pässwört\nhttps://kvm.example/🖥";

describe("age files for SSH keys", { skip }, () => {
  let folder: string;
  let age: RunProgram;
  let keygen: (...parameters: readonly string[]) => string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "ironlease-age-"));
    age = await programOf("age", "age");
    const run = await programOf("openssh", "ssh-keygen");
    keygen = (...parameters) => run(parameters);
  });
  after(() => rmSync(folder, { recursive: true }));

  const newKey = (name: string, ...parameters: readonly string[]) => {
    const file = join(folder, name);
    keygen("-q", "-N", "", "-f", file, ...parameters);
    return {
      file,
      text: readFileSync(file, "utf8"),
      publicKey: readFileSync(`${file}.pub`, "utf8"),
    };
  };

  for (const [name, ...parameters] of [
    ["ed25519", "-t", "ed25519"],
    ["rsa", "-t", "rsa", "-b", "2048"],
    ["rsa in PEM", "-t", "rsa", "-b", "2048", "-m", "PEM"],
  ] as const) {
    test(`${name}: age opens what we seal, and we open what age seals`, async () => {
      const { file, text, publicKey } = newKey(name, ...parameters);
      const sealed = await sealText(secret, publicKey);
      assert.equal(age(["-d", "-i", file], sealed), secret);

      const key = readPrivateKey(text);
      assert.equal(keygen("-l", "-f", file).split(" ")[1], key.fingerprint);
      assert.equal(await openText(sealed, key), secret);
      assert.equal(await openText(age(["-a", "-R", `${file}.pub`], secret), key), secret);

      const [recipient, ...others] = readRecipients(sealed) ?? [];
      assert.equal(recipient?.type, publicKey.split(" ")[0]);
      assert.equal(recipient?.words[0], tagOf(key.fingerprint));
      assert.equal(others.length, 0);
    });
  }

  test("a private key that cannot open messages is refused with the reason", async () => {
    const ecdsa = newKey("ecdsa", "-t", "ecdsa");
    assert.throws(() => readPrivateKey(ecdsa.text), /^Error: age cannot use a key of type ecdsa/);
    await assert.rejects(
      sealText(secret, ecdsa.publicKey),
      /cannot encrypt to a key of type ecdsa/,
    );
    const pem = newSshKey("ecdsa").privateKey;
    assert.throws(() => readPrivateKey(pem), /Ed25519 and RSA keys only/);
    const { text } = newKey("cut", "-t", "ed25519");
    const [first, second, ...rest] = text.split("\n");
    const cut = [first, second?.slice(0, 40), ...rest.slice(-2)].join("\n");
    assert.throws(() => readPrivateKey(cut), /damaged/);
    assert.throws(() => readPrivateKey("ssh-ed25519 AAAA"), /not a private key/);
  });

  test("a passphrase leaves the fingerprint readable, so that the right key can be named", () => {
    const protectedKey = newKey("protected", "-t", "ed25519");
    keygen("-q", "-p", "-P", "", "-N", "a pass phrase", "-f", protectedKey.file);
    const key = readPrivateKey(readFileSync(protectedKey.file, "utf8"));
    assert.equal(key.secret, undefined);
    assert.equal(keygen("-l", "-f", `${protectedKey.file}.pub`).split(" ")[1], key.fingerprint);
    const pem = newKey("protected-pem", "-t", "rsa", "-b", "2048", "-m", "PEM");
    keygen("-q", "-p", "-P", "", "-N", "a pass phrase", "-m", "PEM", "-f", pem.file);
    assert.throws(() => readPrivateKey(readFileSync(pem.file, "utf8")), /A passphrase protects/);
  });

  test("another key, or a changed byte anywhere, opens nothing", async () => {
    const [own, other] = [newKey("own", "-t", "ed25519"), newKey("other", "-t", "ed25519")];
    const sealed = await sealText(secret, own.publicKey);
    await assert.rejects(openText(sealed, readPrivateKey(other.text)));
    const [begin = "", ...lines] = sealed.trim().split("\n");
    const file = Buffer.from(lines.slice(0, -1).join(""), "base64");
    for (const at of [30, 60, 110, file.length - 60, file.length - 1]) {
      const changed = Buffer.from(file);
      changed[at] = (changed[at] ?? 0) ^ 1;
      const text = changed
        .toString("base64")
        .match(/.{1,64}/g)
        ?.join("\n");
      const armored = `${begin}\n${text}\n${lines.at(-1)}\n`;
      await assert.rejects(openText(armored, readPrivateKey(own.text)), `byte ${at}`);
    }
  });
});
