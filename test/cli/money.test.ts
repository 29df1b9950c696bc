import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openCliHarness, type CliHarness } from "#test/cli-harness.ts";

const destination = `sim-btc-${"a".repeat(31)}`;

describe("money from the command line", () => {
  let harness: CliHarness;
  before(async () => void (harness = await openCliHarness()));
  after(() => harness.close());

  test("deposit create prints the address, mode and idempotency key, without a QR code in a pipe", async () => {
    const customer = await harness.newCustomer();
    const { code, stdout, stderr } = await customer.run(["deposit", "create", "btc"]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Address +sim-btc-\w+$/m);
    assert.match(stdout, /^Mode +SIMULATED$/m);
    assert.match(stdout, /This address exists on no network/);
    assert.match(stderr, /^Idempotency key: [\w-]{36}$/m);
    assert.doesNotMatch(stdout, /[█▀▄\u001b]/);
  });

  test("deposit create shows a QR code on a terminal", async () => {
    const customer = await harness.newCustomer();
    const { stdout } = await customer.run(["deposit", "create", "LTC"], { answers: [] });
    assert.match(stdout, /\u001b\[30;107m +█▀▀▀▀▀█/);
    const plain = await customer.run(["deposit", "create", "LTC"], {
      answers: [],
      env: { NO_COLOR: "1" },
    });
    assert.match(plain.stdout, /█▀▀▀▀▀█|█ ▄▄▄▄▄ █/);
    assert.doesNotMatch(plain.stdout, /\u001b/);
  });

  test("deposit create with the same key returns the same address as a replay", async () => {
    const customer = await harness.newCustomer();
    const argv = ["deposit", "create", "XMR", "--idempotency-key", "my-first-deposit"];
    const first = await customer.json(argv);
    const again = await customer.json(argv);
    assert.equal(first.idempotencyKey, "my-first-deposit");
    assert.deepEqual([first.isReplay, again.isReplay], [false, true]);
    assert.equal(again.address, first.address);
    assert.match((await customer.run(argv)).stdout, /nothing happened twice/);
    const other = ["deposit", "create", "BTC", "--idempotency-key", "my-first-deposit"];
    const { code, stderr } = await customer.run(other);
    assert.equal(code, 8);
    assert.match(stderr, /code idempotency_conflict/);
  });

  test("deposit watch prints every confirmation and ends when the payment is credited", async () => {
    const customer = await harness.newCustomer();
    const { address } = await customer.json(["deposit", "create", "BTC"]);
    const steps: (() => Promise<unknown>)[] = [];
    const transactionId = "watched-transaction";
    for (const confirmations of [0, 1, 2]) {
      steps.push(() => harness.pay(address, "0.01", { confirmations, transactionId }));
    }
    const { code, stdout, stderr } = await customer.run(["deposit", "watch", address, "--json"], {
      wait: async () => void (await steps.shift()?.()),
    });
    assert.equal(code, 0, stderr);
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ confirmations, state }) => [confirmations, state]),
      [
        [0, "CONFIRMING"],
        [1, "CONFIRMING"],
        [2, "CREDITED"],
      ],
    );
    assert.equal(stderr, "");
    const { deposits } = await customer.json(["deposit", "list"]);
    assert.equal(deposits[0].usd, lines[2].usd);
    assert.match((await customer.run(["deposit", "list"])).stdout, /CREDITED +2 of 2 +0\.01000000/);
  });

  test("deposit watch redraws its lines in place on a terminal", async () => {
    const customer = await harness.newCustomer();
    const { address } = await customer.json(["deposit", "create", "BTC"]);
    const transactionId = "a-live-transaction-with-a-long-id";
    await harness.pay(address, "0.01", { confirmations: 1, transactionId });
    const { code, stdout } = await customer.run(["deposit", "watch", address], {
      answers: [],
      wait: async () => void (await harness.pay(address, "0.01", { transactionId })),
    });
    assert.equal(code, 0);
    // The line wraps on this terminal, so the command redraws two lines.
    assert.match(stdout, /1 of 2[^\n]*\n\u001b\[2A\u001b\[J[^\n]*2 of 2[^\n]*\n$/);
  });

  test("deposit watch --for exits 15 when the time is up", async () => {
    const customer = await harness.newCustomer();
    const { address } = await customer.json(["deposit", "create", "BTC"]);
    let waitedMs = 0;
    const argv = ["deposit", "watch", address, "--for", "10"];
    const { code } = await customer.run(argv, { wait: async (ms) => void (waitedMs += ms) });
    assert.equal(code, 15);
    assert.equal(waitedMs, 10_000);
    assert.equal((await customer.run(["deposit", "watch", "--for", "soon"])).code, 2);
  });

  test("deposit watch --for without an address prints deposits and exits 0", async () => {
    const customer = await harness.newCustomer();
    const { address } = await customer.json(["deposit", "create", "BTC"]);
    let isPaid = false;
    const { code, stdout, stderr } = await customer.run(["deposit", "watch", "--for", "10"], {
      wait: async () => {
        if (!isPaid) await harness.pay(address, "0.01");
        isPaid = true;
      },
    });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^CREDITED/);
  });

  test("deposit watch refuses an invalid address, and suggests the right one for a typo", async () => {
    const customer = await harness.newCustomer();
    const none = await customer.run(["deposit", "watch", "TYPO"]);
    assert.equal(none.code, 2);
    assert.match(none.stderr, /TYPO is not a deposit address/);
    const { address } = await customer.json(["deposit", "create", "BTC"]);
    await harness.pay(address, "0.01");
    const { code, stderr } = await customer.run(["deposit", "watch", address.slice(0, -1)]);
    assert.equal(code, 6);
    assert.ok(stderr.includes(`Did you mean ${address}?`), stderr);
    assert.equal((await customer.run(["deposit", "watch", address.toUpperCase()])).code, 0);
  });

  test("deposit watch waits for an address of this account and exits 6 for any other", async () => {
    const customer = await harness.newCustomer();
    const { address } = await customer.json(["deposit", "create", "BTC"]);
    const watch = (watched: string) => customer.run(["deposit", "watch", watched, "--for", "0"]);
    const own = await watch(address);
    assert.equal(own.code, 15, own.stderr);
    assert.ok(own.stderr.includes(`Waiting for a payment to ${address}`));
    const slip = await watch(`${address}x`);
    assert.equal(slip.code, 6);
    assert.ok(slip.stderr.includes(`Did you mean ${address}?`), slip.stderr);
    for (const foreign of [
      "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
      "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2",
      "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9",
      "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
      "888tNkZrPN6JsEgekjMnABU4TBzc2Dt29EPAvkRxbANsAnjyPbb3iQ1YBRk1UXcdRsiKc9dhwMVgN5S9cQUiyoogDavup3H",
    ]) {
      const { code, stderr } = await watch(foreign);
      assert.equal(code, 6, stderr);
      assert.ok(stderr.includes(`${foreign} is not a deposit address of this account.`), stderr);
    }
  });

  test("deposit create --watch ends when its own payment is credited", async () => {
    const customer = await harness.newCustomer();
    let address = "";
    const { code, stdout } = await customer.run(["deposit", "create", "BTC", "--watch", "--json"], {
      wait: async () => {
        const accountId = await customer.accountId();
        const addresses = harness.core.db.read.selectFrom("deposit_addresses").select("address");
        const created = addresses.where("account_id", "=", accountId).executeTakeFirstOrThrow();
        address = (await created).address ?? "";
        await harness.pay(address, "0.02");
      },
    });
    assert.equal(code, 0);
    const [created, credited] = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.equal(created.address, address);
    assert.deepEqual([credited.address, credited.state], [address, "CREDITED"]);
  });

  test("withdraw asks for confirmation, holds the amount and shows PENDING_REVIEW", async () => {
    const customer = await harness.newCustomer();
    await customer.fund("0.01");
    const argv = ["withdraw", "--usd", "25.50", "--asset", "BTC", "--to", destination];
    const { code, stdout, stderr } = await customer.run(argv, {
      answers: [[/Withdraw 25\.50 USD in BTC to sim-btc-a+\?.*\(y\/N\) ?$/, "yes\r"]],
    });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /wdr_\w{26}/);
    assert.match(stdout, /PENDING_REVIEW/);
    assert.match(stdout, /an operator reviews it before anything is paid/);
    const { heldUsd, entries } = await customer.json(["ledger", "list"]);
    assert.equal(heldUsd, 25.5);
    assert.equal(entries[0].type, "WITHDRAWAL_HOLD");
  });

  test("withdraw without a yes exits 14 and holds nothing", async () => {
    const customer = await harness.newCustomer();
    await customer.fund("0.01");
    const argv = ["withdraw", "--usd", "25", "--asset", "BTC", "--to", destination];
    for (const keys of ["n\r", "\r", "yeah\r", "\u0004"]) {
      const { code, stderr } = await customer.run(argv, { answers: [[/\(y\/N\) ?$/, keys]] });
      assert.equal(code, 14);
      assert.match(stderr, /Nothing was changed/);
    }
    const interrupted = await customer.run(argv, { answers: [[/\(y\/N\) ?$/, "\u0003"]] });
    assert.equal(interrupted.code, 130);
    const { code, stderr } = await customer.run(argv);
    assert.equal(code, 2);
    assert.match(stderr, /To confirm, add --yes/);
    assert.equal((await customer.json(["ledger", "list"])).heldUsd, 0);
  });

  /** A customer who has requested a withdrawal of 25 USD in BTC, with the given key if any. */
  async function withdrawn(...key: readonly string[]) {
    const customer = await harness.newCustomer();
    await customer.fund("0.01");
    const first = await customer.json([...withdrawal({}), ...key]);
    assert.equal(first.status, "PENDING_REVIEW");
    const resend = ["--idempotency-key", first.idempotencyKey, "--resend"];
    return { customer, first, resend };
  }

  const withdrawal = ({ usd = "25", asset = "BTC", to = destination }) => [
    ...["withdraw", "--usd", usd, "--asset", asset, "--to", to, "--yes"],
  ];
  const others = [
    { to: `sim-btc-${"d".repeat(31)}` },
    { usd: "30" },
    { asset: "LTC", to: `sim-ltc-${"a".repeat(31)}` },
  ];

  test("a withdrawal resent with its generated key is RECORDED, however the amount is written", async () => {
    const { customer, first, resend } = await withdrawn();
    for (const usd of ["25", "25.00"]) {
      const recorded = await customer.json([...withdrawal({ usd }), ...resend]);
      assert.deepEqual([recorded.status, recorded.id], ["RECORDED", first.id]);
      assert.equal(recorded.isVerified, true);
    }
    const { stdout } = await customer.run([...withdrawal({}), ...resend]);
    assert.match(stdout, /Status +RECORDED/);
    assert.match(stdout, /nothing happened twice/);
    assert.equal((await customer.json(["ledger", "list"])).heldUsd, 25);
  });

  test("a different withdrawal with a generated key is refused before it is sent", async () => {
    const { customer, resend } = await withdrawn();
    for (const other of others) {
      for (const more of [resend, resend.slice(0, -1)]) {
        const { code, stdout, stderr } = await customer.run([...withdrawal(other), ...more]);
        assert.equal(code, 8);
        assert.equal(stdout, "");
        assert.match(stderr, /belongs to a different withdrawal.*Nothing was sent/);
        assert.match(stderr, /code idempotency_conflict/);
      }
    }
    const { stderr } = await (await harness.newCustomer()).run([...withdrawal({}), ...resend]);
    assert.match(stderr, /destination or account differs/);
  });

  test("a resent withdrawal with the user's own key exits 8 if the ledger has no such withdrawal", async () => {
    const { customer, resend } = await withdrawn("--idempotency-key", "one-withdrawal");
    for (const other of others.slice(1)) {
      const { code, stdout, stderr } = await customer.run([...withdrawal(other), ...resend]);
      assert.equal(code, 8);
      assert.equal(stdout, "");
      assert.match(stderr, /used for a different withdrawal: the ledger has none of/);
      assert.match(stderr, /code idempotency_conflict/);
    }
    assert.equal((await customer.json(["ledger", "list"])).heldUsd, 25);
  });

  test("a resent withdrawal with the user's own key exits 13, because the destination cannot be verified", async () => {
    const { customer, first, resend } = await withdrawn("--idempotency-key", "one-withdrawal");
    for (const request of [{}, others[0] ?? {}]) {
      const { code, stdout, stderr } = await customer.run([...withdrawal(request), ...resend]);
      assert.equal(code, 13);
      assert.equal(stdout, "");
      assert.match(stderr, new RegExp(`${first.id} has the same asset and amount`));
      assert.match(stderr, /does not show its destination/);
      assert.match(stderr, /ironlease ledger list/);
    }
    const conflict = await customer.run([...withdrawal({}), ...resend.slice(0, -1)]);
    assert.equal(conflict.code, 8);
    assert.match(conflict.stderr, /ironlease idempotency-key show one-withdrawal/);
    assert.equal((await customer.json(["ledger", "list"])).heldUsd, 25);
  });

  test("api checks a resent withdrawal like withdraw does", async () => {
    const { customer, first, resend } = await withdrawn();
    const call = (destination: string) => [
      ...["api", "POST", "/api/v1/withdrawals", ...resend],
      ...["--data", JSON.stringify({ usd: 25, asset: "BTC", destination })],
    ];
    assert.equal((await customer.json(call(destination))).id, first.id);
    assert.equal((await customer.run(call(others[0]?.to ?? ""))).code, 8);
  });

  test("a refusal names the invalid option and does not use up the idempotency key", async () => {
    const customer = await harness.newCustomer();
    const argv = ["withdraw", "--usd", "25", "--asset", "BTC", "--yes"];
    const wrong = await customer.run([...argv, "--to", "not-an-address"]);
    assert.equal(wrong.code, 3);
    assert.match(wrong.stderr, /destination \(--to\) must be a valid BTC address/);
    const key = ["--idempotency-key", "kept-for-later"];
    const poor = await customer.run([...argv, "--to", destination, ...key]);
    assert.equal(poor.code, 7);
    assert.match(poor.stderr, /Insufficient balance\. You have \$0\.00; this needs \$25\.00\./);
    assert.match(poor.stderr, /code insufficient_balance, idempotency key kept-for-later/);
    assert.match(poor.stderr, /ironlease deposit create BTC/);
    await customer.fund("0.01");
    assert.equal((await customer.run([...argv, "--to", destination, ...key])).code, 0);
  });

  test("withdrawal list prints each withdrawal with its outcome", async () => {
    const customer = await harness.newCustomer();
    assert.equal((await customer.run(["withdrawal", "list"])).stdout, "No withdrawals.\n");
    await customer.fund("0.01");
    const { id } = await customer.json(withdrawal({}));
    const { stdout } = await customer.run(["withdrawal", "list"]);
    assert.match(stdout, /^TIME +USD +ASSET +STATUS +OUTCOME +ID\n/);
    assert.match(stdout, new RegExp(`25\\.00 +BTC +HELD +- +${id}\\n$`));
  });

  test("ledger list prints a table or CSV, and refuses --csv with --json", async () => {
    const customer = await harness.newCustomer();
    await customer.fund("0.01");
    const { stdout } = await customer.run(["ledger", "list"]);
    assert.match(stdout, /^Balance [\d.]+ USD, held 0\.00 USD\n\nTIME +TYPE +USD +BALANCE/);
    assert.match(stdout, /UTC {2}DEPOSIT +\+[\d.]+ +[\d.]+ {2}Deposit of 0\.01 BTC/);
    const csv = (await customer.run(["ledger", "list", "--csv"])).stdout.trimEnd().split("\n");
    assert.equal(csv.length, 2);
    assert.match(csv[0] ?? "", /^id,createdAt,type,amountUsd,balanceAfterUsd,description,/);
    assert.match(csv[1] ?? "", /^led_\w+,[\dT:.Z-]+,DEPOSIT,[\d.]+,[\d.]+,Deposit of /);
    assert.equal((await customer.run(["ledger", "list", "--csv", "--json"])).code, 2);
    const filter = ["--type", "DEPOSIT", "--from", "2020-01-01"];
    const found = await customer.run(["ledger", "list", ...filter]);
    assert.match(found.stdout, /^TIME +TYPE +USD .*\n.* DEPOSIT +\+[\d.]+ .* led_\w+\n$/);
    const none = await customer.run(["ledger", "list", "--to", "2020-01-01"]);
    assert.equal(none.stdout, "No entries.\n");
    assert.equal((await customer.run(["ledger", "list", "--type", "PAYOUT"])).code, 2);
  });
});
