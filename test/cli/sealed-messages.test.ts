import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { sealText } from "@ironlease/age/seal";
import { answerThread } from "#server/features/threads/answer-thread.ts";
import { sweep } from "#server/features/housekeeping/sweep.ts";
import { openCliHarness, type CliHarness, type Customer } from "#test/cli-harness.ts";
import { skipWithout } from "#test/components.ts";
import { temporaryFolder } from "#test/daemon.ts";
import { operatorCall } from "#test/operators.ts";
import { programOf } from "#test/run-component.ts";
import { newSshKey } from "#test/ssh-keys.ts";
import { intentOf, valueOf } from "#test/use-cases.ts";

const secret = "KVM: https://kvm.example.com/s/4711\nPassword: \u001b[31mTrout-42";
const shownSecret = "KVM: https://kvm.example.com/s/4711\nPassword: \\u001b[31mTrout-42";

describe("sealed messages from the command line", { skip: await skipWithout("openssh") }, () => {
  let harness: CliHarness;
  let owner: Customer;
  let threadId: string;
  let home: string;
  let ssh: string;
  let keygen: (...parameters: readonly string[]) => void;
  before(async () => {
    harness = await openCliHarness();
    owner = await harness.newCustomer();
    home = temporaryFolder();
    ssh = join(home, ".ssh");
    mkdirSync(ssh);
    const run = await programOf("openssh", "ssh-keygen");
    keygen = (...parameters) => void run(["-q", ...parameters]);
    const asking = ["message", "send", "Please send a KVM link.", "--subject", "Console"];
    ({ threadId } = await owner.json(asking));
  });
  after(() => harness.close());

  const sealTo = async (publicKey: string, expiresAt?: string) => {
    const { fingerprint } = await save(publicKey);
    const call = await operatorCall(harness.core, "support");
    const sealed = { ciphertext: await sealText(secret, publicKey), fingerprint, expiresAt };
    const intent = intentOf("answerThread");
    const sent = await valueOf(
      answerThread(harness.core, { ...call, intent }, { threadId, sealed }),
    );
    return { ...sealed, id: sent.body.id };
  };
  let saved = 0;
  const save = (publicKey: string) => {
    const file = join(home, "key.pub");
    writeFileSync(file, publicKey);
    return owner.json(["ssh-key", "add", `key${(saved += 1)}`, file]);
  };
  const open = (...more: readonly string[]) =>
    owner.run(["message", "open", threadId, ...more], { env: { HOME: home } });

  test("open takes the usual key that fits, and prints the text and nothing else", async () => {
    keygen("-t", "ed25519", "-N", "", "-f", join(ssh, "id_ed25519"));
    keygen("-t", "rsa", "-b", "2048", "-N", "", "-f", join(ssh, "id_rsa"));
    for (const name of ["id_ed25519", "id_rsa"]) {
      const { id, ciphertext } = await sealTo(readFileSync(join(ssh, `${name}.pub`), "utf8"));
      const { code, stdout, stderr } = await open();
      assert.deepEqual([code, stdout, stderr], [0, `${shownSecret}\n`, ""]);
      assert.equal(
        (await owner.run(["message", "open", threadId, "--get", "text"], { env: { HOME: home } }))
          .code,
        0,
      );
      assert.equal((await open("--ciphertext")).stdout, ciphertext);
      const shown = await owner.run(["message", "show", threadId]);
      assert.match(
        shown.stdout,
        new RegExp(
          `^Encrypted to your SSH key SHA256:.*\\nironlease message open ${threadId} ${id}`,
          "m",
        ),
      );
      assert.ok(!shown.stdout.includes("Trout"));
    }
  });

  test("open says what to do when the key does not fit, has a passphrase or cannot be used", async () => {
    const key = newSshKey();
    const { id, fingerprint } = await sealTo(key.publicKey);
    const usual = await open(id);
    assert.equal(usual.code, 2);
    assert.match(
      usual.stderr,
      new RegExp(`Neither id_ed25519 nor id_rsa in .* is ${fingerprint.replaceAll("+", "\\+")}`),
    );
    assert.match(
      (await open(id, "--identity", join(ssh, "id_rsa"))).stderr,
      /is SHA256:[^ ]+\.\n.*--identity/,
    );
    assert.match((await open(id, "--identity", join(ssh, "none"))).stderr, /cannot be read/);

    const file = join(home, "identity");
    writeFileSync(file, newSshKey("ecdsa").privateKey);
    assert.match((await open(id, "--identity", file)).stderr, /Ed25519 and RSA keys only/);
    writeFileSync(file, key.privateKey);
    assert.equal((await open(id, "--identity", file)).stdout, `${shownSecret}\n`);

    keygen("-p", "-P", "", "-N", "a pass phrase", "-f", join(ssh, "id_ed25519"));
    const locked = await open((await sealTo(readFileSync(join(ssh, "id_ed25519.pub"), "utf8"))).id);
    assert.equal(locked.code, 2);
    assert.match(locked.stderr, /A passphrase protects .*id_ed25519/);
    assert.match(locked.stderr, /age -d -i .*id_ed25519 message\.age/);
    assert.equal(locked.stdout, "");
  });

  test("an expired message, a plain one and an unknown one are not found", async () => {
    const key = newSshKey();
    const { id } = await sealTo(key.publicKey, new Date(Date.now() + 3_600_000).toISOString());
    assert.match((await owner.run(["message", "show", threadId])).stdout, /It expires \d{4}-/);
    const later = { ...harness.core, clock: { now: () => Date.now() + 3_600_000 } };
    assert.equal((await sweep(later)).sealedTexts, 1);
    const expired = await open(id);
    assert.equal(expired.code, 6);
    assert.match(expired.stderr, /The message has expired and was erased/);
    assert.match(
      (await owner.run(["message", "show", threadId])).stdout,
      /It expired .* and was erased\./,
    );
    const { messages } = await owner.json(["message", "show", threadId]);
    assert.equal((await open(messages[0].id)).code, 6);
    assert.equal((await open("msg_none")).code, 6);
    rmSync(home, { recursive: true });
  });
});
