import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { simulatedOver } from "#test/deposits.ts";
import { forEachEngine, openEngine, type OpenedEngine } from "#test/engines.ts";
import { codeOf, fieldsOf, valueOf } from "#test/use-cases.ts";
import { SettlementFailed, SettlementUnavailable } from "#ports/settlement.ts";
import { createSimulatedRates } from "./simulated-rates.ts";
import type { SimulatedSettlement } from "./simulated-settlement.ts";

const { signal } = new AbortController();

test("rates are positive decimals with their time, and 1 for stablecoins", async () => {
  const rates = createSimulatedRates({ now: () => 7 });
  for (const asset of ["BTC", "LTC", "XMR", "ETH"] as const) {
    const { rate, at } = await rates.usdPerCoin(asset);
    assert.match(rate, /^[1-9]\d*(?:\.\d+)?$/);
    assert.equal(at, 7);
  }
  assert.equal((await rates.usdPerCoin("USDC")).rate, "1");
  assert.equal((await rates.usdPerCoin("USDT")).rate, "1");
});

forEachEngine((engine) => {
  let opened: OpenedEngine;
  let settlement: SimulatedSettlement;
  /** The same provider in another process. */
  let other: SimulatedSettlement;
  let references = 0;

  before(async () => {
    opened = await openEngine(engine);
    settlement = simulatedOver(opened.db);
    other = simulatedOver(await opened.reopen());
  });
  after(() => opened.dispose());

  const newAddress = (asset: "BTC" | "ETH" | "USDC" | "XMR" = "BTC") =>
    settlement.createAddress(asset, `reference ${(references += 1)}`, signal);
  const pay = settlementPays(() => settlement);

  test("an address names its asset and is valid on no real network", async () => {
    assert.match(await newAddress("BTC"), /^sim-btc-[a-z0-9]{31}$/);
    assert.match(await newAddress("USDC"), /^sim-usdc-[a-z0-9]{31}$/);
  });

  test("100 concurrent calls in two processes and a later one get the same address for a reference", async () => {
    const requests = Array.from({ length: 100 }, (_, index) =>
      (index % 2 === 0 ? settlement : other).createAddress("LTC", "the same", signal),
    );
    const [first] = await Promise.all(requests);
    assert.deepEqual(new Set(await Promise.all(requests)), new Set([first]));
    assert.equal(await other.createAddress("LTC", "the same", signal), first);
    assert.notEqual(await settlement.createAddress("LTC", "another", signal), first);
  });

  test("a reference used for one asset is rejected for another", async () => {
    await settlement.createAddress("BTC", "of bitcoin", signal);
    await assert.rejects(settlement.createAddress("LTC", "of bitcoin", signal), SettlementFailed);
  });

  test("watch returns a new payment once, with the confirmations that its asset requires", async () => {
    const address = await newAddress("XMR");
    const { cursor } = await settlement.watch("monero", undefined, signal);
    const { transactionId } = await pay({ address, amount: "1.000000000001" });
    const news = await other.watch("monero", cursor, signal);
    assert.deepEqual(news.outputs, [
      {
        asset: "XMR",
        address,
        transactionId,
        outputIndex: 0,
        amountUnits: 1_000_000_000_001n,
        confirmations: 10,
        isGone: false,
      },
    ]);
    const after = await settlement.watch("monero", news.cursor, signal);
    assert.deepEqual(after, { cursor: news.cursor, outputs: [], hasMore: false });
  });

  test("paying the same transaction again changes its confirmations, and watch returns it again", async () => {
    const address = await newAddress();
    const payment = { address, amount: "0.5", transactionId: "moving" };
    const changes = [{ confirmations: 1 }, { confirmations: 0 }, { isGone: true }, {}];
    let { cursor } = await settlement.watch("bitcoin", undefined, signal);
    const seen: unknown[] = [];
    for (const change of changes) {
      await pay({ ...payment, ...change });
      const news = await settlement.watch("bitcoin", cursor, signal);
      ({ cursor } = news);
      seen.push(...news.outputs.map(({ confirmations, isGone }) => [confirmations, isGone]));
    }
    assert.deepEqual(seen, [
      [1, false],
      [0, false],
      [0, true],
      [2, false],
    ]);
  });

  test("a transaction can pay several outputs, whose addresses and amounts cannot change", async () => {
    const [ada, ben] = [await newAddress(), await newAddress()];
    const transactionId = "several";
    await pay({ address: ada, amount: "1", transactionId });
    await pay({ address: ben, amount: "2", transactionId, outputIndex: 1 });
    const { payments } = settlement;
    const moved = payments.simulatePayment({ address: ben, amount: "1", transactionId });
    assert.equal((await fieldsOf(moved))?.[0]?.field, "address");
    const changed = payments.simulatePayment({ address: ada, amount: "3", transactionId });
    assert.equal((await fieldsOf(changed))?.[0]?.field, "amount");
    assert.equal(await codeOf(changed), "validation_failed");
  });

  test("an invalid payment is refused with the name of the field and stores nothing", async () => {
    const address = await newAddress("BTC");
    const { cursor } = await settlement.watch("bitcoin", undefined, signal);
    const good = { address, amount: "1" };
    const badAmounts = ["", "0", "0.0", "-1", "+1", "1.", ".5", "1e3", "1,5", " 1", "01", "NaN"];
    const bad: [string, object][] = [
      ...badAmounts.map((amount): [string, object] => ["amount", { amount }]),
      ["amount", { amount: "0.000000001" }],
      ["amount", { amount: "1".repeat(31) }],
      ["address", { address: "sim-btc-unknown" }],
      ["address", { address: "" }],
      ["confirmations", { confirmations: -1 }],
      ["confirmations", { confirmations: 1.5 }],
      ["confirmations", { confirmations: Number.NaN }],
      ["confirmations", { confirmations: 2 ** 53 }],
      ["outputIndex", { outputIndex: -1 }],
      ["transactionId", { transactionId: "" }],
      ["transactionId", { transactionId: "no spaces" }],
      ["transactionId", { transactionId: "x".repeat(101) }],
    ];
    for (const [field, wrong] of bad) {
      const refused = settlement.payments.simulatePayment({ ...good, ...wrong });
      assert.equal(await codeOf(refused), "validation_failed", JSON.stringify(wrong));
      assert.equal((await fieldsOf(refused))?.[0]?.field, field, JSON.stringify(wrong));
    }
    assert.deepEqual((await settlement.watch("bitcoin", cursor, signal)).outputs, []);
  });

  test("a cursor that follows concurrent payments skips none of them", async () => {
    const address = await newAddress("USDC");
    let { cursor } = await settlement.watch("ethereum", undefined, signal);
    // Few at a time: on a busy machine, a hundred writes would time out waiting for a connection.
    const [lanes, paymentsPerLane] = [10, 15];
    const payments = Array.from({ length: lanes }, async (_, lane) => {
      const payOne = settlementPays(() => (lane % 2 === 0 ? settlement : other));
      for (let index = 0; index < paymentsPerLane; index += 1) {
        await payOne({ address, amount: "1", transactionId: `concurrent-${lane}-${index}` });
      }
    });
    const seen = new Set<string>();
    const follow = async () => {
      const news = await settlement.watch("ethereum", cursor, signal);
      ({ cursor } = news);
      for (const { transactionId } of news.outputs) seen.add(transactionId);
    };
    const done = Promise.all(payments).then(() => "done");
    for (let turn = 0; turn < 10_000; turn += 1) {
      await follow();
      // SQLite reads never leave the current turn of the event loop, so give the payments a turn.
      if ((await Promise.race([done, nextTurn("not yet")])) === "done") break;
    }
    await done;
    await follow();
    await follow();
    assert.equal(seen.size, lanes * paymentsPerLane);
  });

  test("a page has at most 100 outputs and reports whether there are more", async () => {
    const address = await newAddress("ETH");
    const { cursor } = await lastPage(settlement, "ethereum");
    for (let paid = 0; paid < 101; paid += 1) await pay({ address, amount: "1" });
    const first = await settlement.watch("ethereum", cursor, signal);
    assert.deepEqual([first.outputs.length, first.hasMore], [100, true]);
    const second = await settlement.watch("ethereum", first.cursor, signal);
    assert.deepEqual([second.outputs.length, second.hasMore], [1, false]);
  });

  test("another provider's cursor and an unknown network throw SettlementFailed", async () => {
    await assert.rejects(settlement.watch("bitcoin", "00000000abc", signal), SettlementFailed);
    await assert.rejects(settlement.watch("dogecoin", undefined, signal), SettlementFailed);
  });

  test("an injected failure affects only the next call", async () => {
    settlement.failNext("createAddress", new SettlementFailed("injected"));
    await assert.rejects(newAddress(), SettlementFailed);
    await newAddress();
    settlement.failNext("watch", new SettlementUnavailable("injected"));
    await assert.rejects(settlement.watch("monero", undefined, signal), SettlementUnavailable);
    await settlement.watch("monero", undefined, signal);
  });
});

function settlementPays(of: () => SimulatedSettlement) {
  return (payment: Parameters<SimulatedSettlement["payments"]["simulatePayment"]>[0]) =>
    valueOf(of().payments.simulatePayment(payment));
}

async function lastPage(settlement: SimulatedSettlement, network: string) {
  for (let cursor: string | undefined, page = 0; page < 100; page += 1) {
    const news = await settlement.watch(network, cursor, signal);
    if (!news.hasMore) return news;
    ({ cursor } = news);
  }
  throw new Error("there are more than 100 pages");
}
