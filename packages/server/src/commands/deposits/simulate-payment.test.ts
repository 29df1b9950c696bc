import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { register, type TestCore } from "#test/core.ts";
import { temporaryFolder } from "#test/daemon.ts";
import { addressFor, balanceOf, createDepositCore } from "#test/deposits.ts";
import { createEmptyDatabase, forEachEngine } from "#test/engines.ts";
import { ironleased } from "#test/ironleased.ts";

test("without a preview it exits with 1 and creates nothing", async () => {
  const data = join(temporaryFolder(), "none");
  const { code, said } = await run(["sim-btc-abcdefgh", "1"], { IRONLEASE_DATA: data });
  assert.deepEqual([code, said], [1, `No preview in ${data}. Start it first: ironleased preview`]);
  assert.ok(!existsSync(data));
});

forEachEngine((engine) => {
  let opened: TestCore;
  let env: Record<string, string>;

  before(async () => {
    opened = await createDepositCore(engine);
    env = settingsFor(engine, opened.location);
  });
  after(() => opened.dispose());

  const newAddress = async () => {
    const { accountId, username } = await register(opened.core);
    const address = await addressFor(opened.core, accountId);
    return { accountId, username, address };
  };

  test("a payment to a running preview is credited at once", async () => {
    const { accountId, username, address } = await newAddress();
    const { code, said } = await run([address, "0.5"], env);
    assert.match(
      said,
      new RegExp(`^Transaction simtx-\\w+ pays 0.5 BTC to ${username}: 47125.00 USD credited.$`),
    );
    assert.equal(code, 0);
    assert.equal(await balanceOf(opened.core, accountId), 4_712_500);
  });

  test("the output reports confirmations, the credit and the removal of a transaction", async () => {
    const { accountId, username, address } = await newAddress();
    const pay = async (...more: string[]) => {
      const { code, said } = await run(
        [address, "1", "--transaction", `t-${engine}`, ...more],
        env,
      );
      assert.equal(code, 0);
      return said.replace(`Transaction t-${engine} `, "");
    };
    const paid = `pays 1 BTC to ${username}:`;
    assert.equal(
      await pay("--confirmations", "1"),
      `${paid} 1 of 2 confirmations. It is credited once it has them all.`,
    );
    assert.equal(await pay("--gone"), "was removed. Nothing was credited.");
    assert.equal(await balanceOf(opened.core, accountId), 0);
    assert.equal(await pay(), `${paid} 94250.00 USD credited.`);
    assert.equal(
      await pay("--gone"),
      `${paid} 94250.00 USD remain credited, although it now has 0 of 2 confirmations. The audit log records this.`,
    );
    assert.equal(await balanceOf(opened.core, accountId), 9_425_000);
  });

  test("a payment over the ledger's limit is not credited yet", async () => {
    const { address } = await newAddress();
    const { code, said } = await run([address, "99999999999"], env);
    assert.match(said, /: 2 of 2 confirmations, but not credited yet\. The audit log says why\.$/);
    assert.equal(code, 0);
  });

  test("an invalid address or amount is exit code 1 with one sentence", async () => {
    const { address } = await newAddress();
    const real = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";
    const refused: [string[], string][] = [
      [[real, "1"], `${real} is not a simulated address. Simulated addresses start with sim-.`],
      [
        ["sim-btc-abcdefgh", "1"],
        "The address must be a simulated address that this service created.",
      ],
      [[address, "0"], "The amount must be greater than 0."],
      [[address, "ten"], "The amount must be a decimal such as 0.015."],
      [[address, "0.123456789"], "The amount must have at most 8 decimals for BTC."],
    ];
    for (const [args, sentence] of refused) {
      assert.deepEqual(await run(args, env), { code: 1, said: sentence });
    }
    const none = await run([address, "1"], { ...env, IRONLEASE_SETTLEMENT: "none" });
    assert.equal(none.code, 1);
    assert.match(none.said, /IRONLEASE_SETTLEMENT is none/);
  });

  test("a usage error is exit code 2 and names the help page", async () => {
    const wrong = [
      [],
      ["sim-btc-abcdefgh"],
      ["sim-btc-abcdefgh", "1", "2"],
      ["sim-btc-abcdefgh", "1", "--confirmations", "many"],
      ["sim-btc-abcdefgh", "1", "--confirmations"],
      ["sim-btc-abcdefgh", "1", "--gone"],
      ["sim-btc-abcdefgh", "1", "--price", "2"],
      ["sim-btc-abcdefgh", "-1"],
    ];
    for (const args of wrong) {
      const { code, said } = await run(args, env);
      assert.equal(code, 2, args.join(" "));
      assert.match(said, /^error: .*\n(?: .*\n)* +ironleased simulate-payment --help$/);
    }
  });

  test("an outdated database is refused", async () => {
    const empty = await createEmptyDatabase(engine);
    try {
      const settings = settingsFor(engine, empty.location);
      if (engine === "sqlite") writeFileSync(empty.location, "", { mode: 0o600 });
      const { code, said } = await run(["sim-btc-abcdefgh", "1"], settings);
      assert.equal(code, 1);
      assert.match(said, /Run ironleased migrate first/);
    } finally {
      await empty.remove();
    }
  });
});

function settingsFor(engine: string, location: string): Record<string, string> {
  return engine === "postgres"
    ? { IRONLEASE_DATABASE_URL: location }
    : { IRONLEASE_DATA: dirname(location) };
}

async function run(args: readonly string[], env: Readonly<Record<string, string>>) {
  const { code, said } = await ironleased(["simulate-payment", ...args], env);
  return { code, said };
}
