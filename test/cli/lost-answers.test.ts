import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openCliHarness, type CliHarness, type Customer } from "#test/cli-harness.ts";
import { startLossyProxy, type LossyProxy } from "#test/lossy-proxy.ts";
import { password } from "#test/service.ts";

/** The client resends until its deadline. */
const every = 1_000;
const impatiently = ["--timeout", "3"];

describe("lost answers", () => {
  let harness: CliHarness;
  let proxy: LossyProxy;
  let customer: Customer;
  before(async () => {
    harness = await openCliHarness();
    proxy = await startLossyProxy(harness.daemon.url, harness.ca);
    customer = await harness.newCustomer();
    await customer.fund("0.01");
    const login = ["login", customer.username, "--url", proxy.url, "--password-stdin"];
    const { code, stderr } = await customer.run(login, { piped: password });
    assert.equal(code, 0, stderr);
  });
  after(async () => {
    await proxy.close();
    await harness.close();
  });

  /** The arguments of the command that the error suggests. */
  function suggestedCommand(stderr: string): string[] {
    const line = stderr.split("\n").find((text) => text.includes("--resend")) ?? "";
    const [program, ...argv] = line.trim().split(" ");
    assert.equal(program, "ironlease");
    return argv;
  }

  const order = [
    ...["order", "create", "--config", "metal-s", "--region", "fra", "--os", "debian-13"],
    ...["--term", "weekly", "--yes"],
  ];
  const withdrawal = [
    ...["withdraw", "--usd", "25", "--asset", "BTC", "--to", `sim-btc-${"b".repeat(31)}`, "--yes"],
  ];

  test("after one lost answer the order is placed once", async () => {
    proxy.lose(1);
    const { isReplay } = await customer.json(order);
    assert.equal(isReplay, true);
    assert.equal((await customer.json(["order", "list"])).orders.length, 1);
  });

  test("an unknown outcome exits 13, and the suggested command resolves it without a second order", async () => {
    proxy.lose(every);
    const { code, stdout, stderr } = await customer.run([...order, ...impatiently]);
    proxy.lose(0);
    assert.equal(code, 13);
    assert.equal(stdout, "");
    assert.match(stderr, /may or may not have happened/);
    const key = /Idempotency key: (\S+)/.exec(stderr)?.[1] ?? "";
    const argv = suggestedCommand(stderr);
    assert.deepEqual(argv.slice(-3), ["--idempotency-key", key, "--resend"]);
    const before = (await customer.json(["order", "list"])).orders.length;
    const { isReplay } = await customer.json(argv);
    assert.equal(isReplay, true);
    assert.equal((await customer.json(["order", "list"])).orders.length, before);
  });

  test("a withdrawal whose answer was lost is RECORDED with its id", async () => {
    proxy.lose(1);
    const { code, stdout } = await customer.run(withdrawal);
    assert.equal(code, 0);
    assert.match(stdout, /Withdrawal +wdr_\w{26}/);
    assert.match(stdout, /Status +RECORDED/);
    assert.match(stdout, /nothing happened twice/);
    assert.equal((await customer.json(["ledger", "list"])).heldUsd, 25);
  });

  test("the suggested command resolves a withdrawal of unknown outcome without a second hold", async () => {
    proxy.lose(every);
    const { code, stderr } = await customer.run([...withdrawal, ...impatiently]);
    proxy.lose(0);
    assert.equal(code, 13);
    const [, key = ""] = /ironlease idempotency-key show (\S+)/.exec(stderr) ?? [];
    const { records } = await customer.json(["idempotency-key", "show", key]);
    assert.equal(records[0].operation, "requestWithdrawal");
    const { heldUsd } = await customer.json(["ledger", "list"]);
    const recorded = await customer.json(suggestedCommand(stderr));
    assert.equal(recorded.status, "RECORDED");
    assert.equal((await customer.json(["ledger", "list"])).heldUsd, heldUsd);
  });

  test("a withdrawal with the user's own key whose answer was lost exits 13 destination_unverified", async () => {
    proxy.lose(1);
    const { code, stdout, stderr } = await customer.run([
      ...[...withdrawal, "--idempotency-key", "a-key-of-my-own"],
    ]);
    assert.equal(code, 13);
    assert.equal(stdout, "");
    assert.match(stderr, /code destination_unverified/);
  });

  test("with --json an unknown outcome has its idempotency key and error code", async () => {
    proxy.lose(every);
    const create = ["deposit", "create", "BTC", "--json", ...impatiently];
    const { code, stderr } = await customer.run(create);
    proxy.lose(0);
    assert.equal(code, 13);
    const { error } = JSON.parse(stderr);
    assert.deepEqual([error.code, error.exitCode], ["outcome_unknown", 13]);
    const key = ["--idempotency-key", error.idempotencyKey, "--resend"];
    assert.equal((await customer.json(["deposit", "create", "BTC", ...key])).isReplay, true);
  });

  test("key create with a lost answer exits 13 and says to revoke the key", async () => {
    proxy.lose(1);
    const { code, stderr } = await customer.run(["key", "create", "unseen", "--scope", "read"]);
    assert.equal(code, 13);
    assert.match(stderr, /ironlease key list/);
    assert.match(stderr, /its value is lost: revoke it and create another/);
    assert.doesNotMatch(stderr, /--resend/);
    assert.equal((await customer.run(["key", "revoke", "unseen", "--yes"])).code, 0);
  });

  test("deposit watch continues after a temporary outage", async () => {
    const { address } = await customer.json(["deposit", "create", "BTC"]);
    const steps = [
      () => void (proxy.isDown = true),
      async () => {
        proxy.isDown = false;
        await harness.pay(address, "0.01");
      },
    ];
    const watch = ["deposit", "watch", address];
    const { code, stdout, stderr } = await customer.run(watch, {
      wait: async () => {
        await steps.shift()?.();
      },
    });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /does not respond\. Still watching/);
    assert.match(stdout, /CREDITED/);
  });

  test("deposit watch exits 11 if the service never responds", async () => {
    proxy.isDown = true;
    const { code } = await customer.run(["deposit", "watch"]);
    proxy.isDown = false;
    assert.equal(code, 11);
  });

  test("Ctrl-C during a write exits 13 and suggests a command with its key", async () => {
    const stop = new AbortController();
    proxy.isSilent = true;
    proxy.onLost = () => stop.abort(new Error("interrupted"));
    proxy.lose(1);
    const { code, stderr } = await customer.run(order, { signal: stop.signal });
    proxy.isSilent = false;
    proxy.onLost = undefined;
    assert.equal(code, 13);
    assert.equal((await customer.json(suggestedCommand(stderr))).isReplay, true);
  });
});
