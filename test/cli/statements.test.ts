import assert from "node:assert/strict";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { signLiabilities } from "#server/features/liabilities/sign-liabilities.ts";
import { openCliHarness } from "#test/cli-harness.ts";
import { temporaryFolder } from "#test/daemon.ts";

test("statement save writes what the service signed, and verify finds any change", async (t) => {
  const harness = await openCliHarness();
  t.after(() => harness.close());
  const customer = await harness.newCustomer();
  await customer.fund("0.01");
  const folder = temporaryFolder();
  for (const [name, more] of [
    ["all.json", []],
    ["all.csv", ["--csv", "--from", "2020-01-01"]],
  ] as const) {
    const file = join(folder, name);
    const saved = await customer.run(["statement", "save", file, ...more]);
    assert.equal(saved.code, 0, saved.stderr);
    assert.match(saved.stdout, /Entries: 1\./);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const again = await customer.run(["statement", "save", file]);
    assert.equal(again.code, 2);
    assert.match(again.stderr, /exists\. Choose another name/);

    const verified = await customer.run(["statement", "verify", file]);
    assert.equal(verified.code, 0, verified.stderr);
    assert.match(verified.stdout, /^Verified the statement of acc_\w+\. Entries: 1\./);

    writeFileSync(file, readFileSync(file, "utf8").replace("DEPOSIT", "DEPOSIU"));
    const changed = await customer.run(["statement", "verify", file]);
    assert.equal(changed.code, 16);
    assert.match(changed.stderr, /The entry led_\w+ does not match its hash/);
  }
  const file = join(folder, "copy.json");
  await customer.run(["statement", "save", file]);
  await customer.fund("0.01");
  const [later, gap] = [join(folder, "later.csv"), join(folder, "gap.json")];
  await customer.run(["statement", "save", later, "--csv"]);
  const compared = await customer.run(["statement", "verify", file, "--against", later]);
  assert.match(compared.stdout, /later\.csv verifies too and tells the same history\./);
  await customer.run(["statement", "save", gap, "--from", "2999-01-01"]);
  const apart = await customer.run(["statement", "verify", file, "--against", gap]);
  assert.equal(apart.code, 2);
  assert.match(apart.stderr, /There is a gap between the statements/);

  const keys = join(folder, "keys.json");
  const { keys: published } = await customer.json([
    "api",
    "GET",
    "/.well-known/ironlease-statement-keys.json",
  ]);
  writeFileSync(keys, JSON.stringify({ keys: published }));
  assert.equal((await customer.run(["statement", "verify", file, "--keys", keys])).code, 0);
  writeFileSync(keys, JSON.stringify({ keys: [] }));
  const unknown = await customer.run(["statement", "verify", file, "--keys", keys]);
  assert.match(unknown.stderr, /is not among the published keys/);
  const none = await customer.run(["statement", "verify", file, "--keys", file]);
  assert.equal(none.code, 2);
});

test("liabilities save writes the proof, and statement verify checks that it is for this account", async (t) => {
  const harness = await openCliHarness();
  t.after(() => harness.close());
  const customer = await harness.newCustomer();
  await customer.fund("0.01");
  // Today's balances were signed before the customer registered.
  const now = () => Date.now() + 86_400_000;
  await signLiabilities({ ...harness.core, clock: { now } });
  const { liabilities } = await customer.json(["liabilities", "list"]);
  const { date } = liabilities[0];
  assert.match((await customer.run(["liabilities", "list"])).stdout, new RegExp(date));
  const file = join(temporaryFolder(), "proof.json");
  const saved = await customer.run(["liabilities", "save", date, file]);
  assert.equal(saved.code, 0, saved.stderr);
  const verify = (...more: string[]) => customer.run(["statement", "verify", file, ...more]);
  const verified = await verify();
  assert.equal(verified.code, 0, verified.stderr);
  assert.match(verified.stdout, new RegExp(`^Verified the liabilities of ${date}\\. Your balance`));
  assert.equal((await verify("--account", await customer.accountId())).code, 0);
  const other = await verify("--account", "acc_other");
  assert.equal(other.code, 16);
  assert.match(other.stderr, /The proof is for another account than acc_other/);
  assert.equal((await verify("--keys", file)).code, 2);
  const missing = await customer.run(["liabilities", "save", "2020-01-01", `${file}2`]);
  assert.match(missing.stderr, /No liabilities were signed on 2020-01-01/);
});
