import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { register, type TestCore } from "#test/core.ts";
import {
  addressFor,
  createDepositCore,
  outputTo,
  runSettlementPass,
  scriptedSettlement,
  settableRates,
} from "#test/deposits.ts";
import { forEachEngine } from "#test/engines.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { SettlementFailed, SettlementUnavailable, type Chain } from "#ports/settlement.ts";
import { readSettlement } from "./read-settlement.ts";

const minuteMs = 60_000;

forEachEngine((engine) => {
  let opened: TestCore;
  let core: Core;
  let networks = 0;

  before(async () => {
    opened = await createDepositCore(engine);
    ({ core } = opened);
  });
  after(() => opened.dispose());

  /** A core with one chain of its own, so that tests do not share cursors. */
  const scripted = (overrides: Partial<Chain> = {}) => {
    networks += 1;
    const settlement = scriptedSettlement({ network: `scripted-${networks}`, ...overrides });
    const rates = settableRates({ ETH: "2000", USDT: "1" });
    return { settlement, on: { ...core, settlement, rates } satisfies Core };
  };
  const read = async (on: Core) => {
    const { chains, alarms } = await readSettlement(on);
    return { chain: chains[0] ?? assert.fail(), alarms };
  };
  const health = (more: object = {}) => ({
    height: 8,
    behindBlocks: 0,
    version: "1",
    peers: 1,
    ...more,
  });

  test("a chain shows its node's height and how far it was scanned", async () => {
    const { on } = scripted({ health: async () => health({ height: 8 }) });
    const { network } = (await read(on)).chain;
    assert.deepEqual(await read(on), {
      chain: {
        network,
        mode: "TEST",
        assets: ["ETH", "USDT"],
        height: 8,
        behindBlocks: 0,
        scannedHeight: null,
        scannedAt: null,
        error: null,
        balances: [
          { asset: "ETH", walletUnits: null, walletAt: null, ledgerUnits: 0n },
          { asset: "USDT", walletUnits: null, walletAt: null, ledgerUnits: 0n },
        ],
      },
      alarms: [],
    });
    await runSettlementPass(on);
    const { scannedHeight, scannedAt } = (await read(on)).chain;
    assert.deepEqual([scannedHeight, scannedAt], [0, core.clock.now()]);
  });

  test("the ledger's units are exact beyond 64 bits and count credited deposits only", async () => {
    const { settlement, on } = scripted();
    const { accountId } = await register(core);
    const address = await addressFor(on, accountId, "ETH");
    const { network } = settlement.chain;
    const amounts = [12_345_678_901_234_567_890n, 9_999_999_999n, 7n, 1_000_000_000n];
    const outputs = amounts.map((amountUnits, outputIndex) =>
      outputTo(address, { asset: "ETH", transactionId: network, outputIndex, amountUnits }),
    );
    const unconfirmed = { transactionId: `${network}-unconfirmed`, confirmations: 1 };
    settlement.report(...outputs, outputTo(address, { asset: "ETH", ...unconfirmed }));
    assert.equal((await runSettlementPass(on)).credited, 4);
    const sum = amounts.reduce((total, amount) => total + amount);
    assert.deepEqual((await read(on)).chain.balances, [
      { asset: "ETH", walletUnits: null, walletAt: null, ledgerUnits: sum },
      { asset: "USDT", walletUnits: null, walletAt: null, ledgerUnits: 0n },
    ]);
  });

  test("a chain that fails says why and leaves the other chains as they are", async () => {
    const down = scriptedSettlement({
      network: "down",
      health: async () => {
        throw new SettlementUnavailable("down cannot be reached (ECONNREFUSED).");
      },
    }).chain;
    const wrong = scriptedSettlement({
      network: "wrong",
      health: async () => {
        throw new SettlementFailed("The node of wrong is on another chain.");
      },
    }).chain;
    const hanging = scriptedSettlement({
      network: "hanging",
      answerMs: 1,
      health: () => new Promise(() => {}),
    }).chain;
    const broken = scriptedSettlement({
      network: "broken",
      health: async () => {
        throw new TypeError("http://user:secret@node is not iterable");
      },
    }).chain;
    const behind = scriptedSettlement({
      network: "behind",
      maxBehindBlocks: 2,
      health: async () => health({ behindBlocks: 3 }),
    }).chain;
    const { settlement, on } = scripted();
    const chains = [down, wrong, hanging, broken, behind, settlement.chain];
    const state = await readSettlement({ ...on, settlement: { ...settlement, chains } });
    const unexpected =
      "The node could not be asked because of an unexpected error. See the service's log.";
    const errors = [
      "down cannot be reached (ECONNREFUSED).",
      "The node of wrong is on another chain.",
      "hanging did not answer within 1 ms",
      unexpected,
      "The node of behind is 3 blocks behind",
    ];
    assert.deepEqual(
      state.chains.map(({ height, error }) => [height, error]),
      [...errors.slice(0, 4).map((error) => [null, error]), [8, errors[4]], [0, null]],
    );
    assert.deepEqual(
      state.alarms,
      chains.slice(0, 5).map(({ network }, index) => ({
        id: `CHAIN_UNAVAILABLE/${network}`,
        kind: "CHAIN_UNAVAILABLE",
        network,
        transactionId: null,
        detail: errors[index],
        at: core.clock.now(),
      })),
    );
  });

  test("a chain lags from the first moment that its last scan is too old", async () => {
    const { settlement, on } = scripted({ maxLagMs: 15 * minuteMs });
    const { network } = settlement.chain;
    const kindAndTime = async () => (await read(on)).alarms.map(({ kind, at }) => [kind, at]);
    assert.deepEqual(await kindAndTime(), [["CHAIN_LAGGING", core.clock.now()]]);
    await runSettlementPass(on);
    const scannedAt = core.clock.now();
    opened.clock.advance(15 * minuteMs);
    assert.deepEqual(await kindAndTime(), []);
    opened.clock.advance(1);
    assert.deepEqual((await read(on)).alarms, [
      {
        id: `CHAIN_LAGGING/${network}`,
        kind: "CHAIN_LAGGING",
        network,
        transactionId: null,
        detail: `The last scan of ${network} was at ${isoTime(scannedAt)}. No deposit address is issued until the next one.`,
        at: scannedAt + 15 * minuteMs,
      },
    ]);
    await runSettlementPass(on);
    assert.deepEqual((await read(on)).alarms, []);
  });

  test("without a provider there is no chain and no alarm", async () => {
    const state = await readSettlement({ ...core, settlement: undefined });
    assert.deepEqual(state, { chains: [], alarms: [] });
  });
});
