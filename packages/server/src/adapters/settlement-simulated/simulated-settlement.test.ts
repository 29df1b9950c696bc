import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { register, type TestCore } from "#test/core.ts";
import { addressFor, createDepositCore, simulatedOf } from "#test/deposits.ts";
import { forEachEngine } from "#test/engines.ts";
import { codeOf, fieldsOf, valueOf } from "#test/use-cases.ts";
import {
  SettlementFailed,
  SettlementUnavailable,
  type Asset,
  type ChainCursor,
  type Scan,
} from "#ports/settlement.ts";
import { createSimulatedRates } from "./simulated-rates.ts";
import type { SimulatedSettlement } from "./simulated-settlement.ts";

const { signal } = new AbortController();
const own = { among: async (addresses: readonly string[]) => new Set(addresses) };

function chainOf(settlement: SimulatedSettlement, network: string) {
  const chain = settlement.chains.find((one) => one.network === network);
  return chain ?? assert.fail(`there is no chain ${network}`);
}

function scan(
  settlement: SimulatedSettlement,
  network: string,
  cursor?: ChainCursor,
): Promise<Scan> {
  return chainOf(settlement, network).scan(cursor, own, signal);
}

test("rates are decimals above zero, one for a stablecoin, and carry the time", async () => {
  const rates = createSimulatedRates({ now: () => 7 });
  for (const asset of ["BTC", "LTC", "XMR", "ETH"] as const) {
    const { rate, at } = await rates.usdPerCoin(asset, signal);
    assert.match(rate, /^[1-9]\d*(?:\.\d+)?$/);
    assert.equal(at, 7);
  }
  assert.equal((await rates.usdPerCoin("USDC", signal)).rate, "1.00");
  assert.equal((await rates.usdPerCoin("USDT", signal)).rate, "1.00");
});

forEachEngine((engine) => {
  let opened: TestCore;
  let core: TestCore["core"];
  let settlement: SimulatedSettlement;
  /** The same chains in another process. */
  let other: SimulatedSettlement;
  let accountId: string;

  before(async () => {
    opened = await createDepositCore(engine);
    ({ core } = opened);
    settlement = simulatedOf(core);
    other = simulatedOf(await opened.reopen());
    ({ accountId } = await register(core));
  });
  after(() => opened.dispose());

  const newAddress = (asset: Asset = "BTC") => addressFor(core, accountId, asset);
  const pay = settlementPays(() => settlement);

  test("an address names its asset and is invalid on every real network", () => {
    assert.match(chainOf(settlement, "bitcoin").addressAt(0, "BTC"), /^sim-btc-[a-z0-9]{31}$/);
    assert.match(chainOf(settlement, "ethereum").addressAt(7, "USDC"), /^sim-usdc-[a-z0-9]{31}$/);
  });

  test("an index has one address for ever, and no other index has it", () => {
    const addresses = Array.from({ length: 1_000 }, (_, index) =>
      chainOf(settlement, "litecoin").addressAt(index, "LTC"),
    );
    assert.equal(new Set(addresses).size, addresses.length);
    assert.equal(chainOf(other, "litecoin").addressAt(7, "LTC"), addresses[7]);
  });

  test("a new payment is reported with the confirmations that its asset needs", async () => {
    const address = await newAddress("XMR");
    const { cursor } = await scan(settlement, "monero");
    const { transactionId } = await pay({ address, amount: "1.000000000001" });
    const page = await scan(other, "monero", cursor);
    assert.deepEqual(page.outputs, [
      {
        asset: "XMR",
        address,
        transactionId,
        outputIndex: 0,
        amountUnits: 1_000_000_000_001n,
        block: undefined,
        confirmations: 10,
      },
    ]);
    const after = await scan(settlement, "monero", page.cursor);
    const nothing = { undone: 0, outputs: [], fates: [], hasMore: false };
    assert.deepEqual(after, { cursor: page.cursor, ...nothing });
  });

  test("repeating a transaction changes its confirmations, and it is reported again", async () => {
    const address = await newAddress();
    const payment = { address, amount: "0.5", transactionId: "moving" };
    let { cursor } = await scan(settlement, "bitcoin");
    const reported: unknown[] = [];
    for (const change of [{ confirmations: 1 }, { confirmations: 0 }, { isGone: true }, {}]) {
      await pay({ ...payment, ...change });
      const page = await scan(settlement, "bitcoin", cursor);
      ({ cursor } = page);
      reported.push(...page.outputs.map(({ confirmations }) => confirmations));
      reported.push(...page.fates.map(({ isGone }) => isGone && "gone"));
    }
    assert.deepEqual(reported, [1, 0, "gone", 2]);
  });

  test("one transaction may pay several outputs, and each keeps its address and amount", async () => {
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

  test("an invalid payment is refused with the wrong field and leaves nothing", async () => {
    const address = await newAddress("BTC");
    const { cursor } = await scan(settlement, "bitcoin");
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
    assert.deepEqual((await scan(settlement, "bitcoin", cursor)).outputs, []);
  });

  test("a cursor that follows concurrent payments skips none and ends where they end", async () => {
    const address = await newAddress("USDC");
    let { cursor } = await scan(settlement, "ethereum");
    // On a busy machine, a hundred at once would time out waiting for a connection.
    const [lanes, paymentsPerLane] = [10, 15];
    const payments = Array.from({ length: lanes }, async (_, lane) => {
      const payOne = settlementPays(() => (lane % 2 === 0 ? settlement : other));
      for (let index = 0; index < paymentsPerLane; index += 1) {
        await payOne({ address, amount: "1", transactionId: `concurrent-${lane}-${index}` });
      }
    });
    const reported = new Set<string>();
    const follow = async () => {
      const page = await scan(settlement, "ethereum", cursor);
      ({ cursor } = page);
      for (const { transactionId } of page.outputs) reported.add(transactionId);
    };
    const done = Promise.all(payments).then(() => "done");
    for (let turn = 0; turn < 10_000; turn += 1) {
      await follow();
      // SQLite reads finish within the turn, so yield to the payments.
      if ((await Promise.race([done, nextTurn("not yet")])) === "done") break;
    }
    await done;
    await follow();
    await follow();
    assert.equal(reported.size, lanes * paymentsPerLane);
  });

  test("a scan without payments reaches the height", async () => {
    await pay({ address: await newAddress("BTC"), amount: "0.01" });
    const { height } = await chainOf(settlement, "litecoin").health(signal);
    assert.equal((await scan(settlement, "litecoin")).cursor.height, height);
  });

  test("a page is bounded and reports that there is more", async () => {
    const address = await newAddress("ETH");
    const { cursor } = await lastPage(settlement, "ethereum");
    for (let paid = 0; paid < 101; paid += 1) await pay({ address, amount: "1" });
    const first = await scan(settlement, "ethereum", cursor);
    assert.deepEqual([first.outputs.length, first.hasMore], [100, true]);
    const second = await scan(settlement, "ethereum", first.cursor);
    assert.deepEqual([second.outputs.length, second.hasMore], [1, false]);
  });

  test("a cursor of another chain is refused", async () => {
    const cursor = { height: 7, hash: "00000000abc" };
    await assert.rejects(scan(settlement, "bitcoin", cursor), SettlementFailed);
  });

  test("an injected failure affects the next call only", async () => {
    settlement.failNext("prepareAddress", new SettlementFailed("injected"));
    const bitcoin = chainOf(settlement, "bitcoin");
    await assert.rejects(bitcoin.prepareAddress(0, signal), SettlementFailed);
    await bitcoin.prepareAddress(0, signal);
    settlement.failNext("scan", new SettlementUnavailable("injected"));
    await assert.rejects(scan(settlement, "monero"), SettlementUnavailable);
    await scan(settlement, "monero");
  });
});

function settlementPays(of: () => SimulatedSettlement) {
  return (payment: Parameters<SimulatedSettlement["payments"]["simulatePayment"]>[0]) =>
    valueOf(of().payments.simulatePayment(payment));
}

async function lastPage(settlement: SimulatedSettlement, network: string) {
  for (let cursor: ChainCursor | undefined, page = 0; page < 100; page += 1) {
    const found = await scan(settlement, network, cursor);
    if (!found.hasMore) return found;
    ({ cursor } = found);
  }
  throw new Error("the pages have no end");
}
