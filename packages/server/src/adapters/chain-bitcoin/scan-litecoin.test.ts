import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { skipWithout } from "#test/components.ts";
import { sharedLitecoinChain } from "#test/litecoin-chain.ts";
import { openLitecoin, testAccountKey, watchLitecoin } from "#test/litecoin-watch.ts";

interface Unspent {
  readonly txid: string;
  readonly vout: number;
  readonly amount: number;
}

const skip = await skipWithout("litecoind");
const { signal } = new AbortController();

describe("deposits on a real litecoind", { skip }, () => {
  test("the node derives the same addresses from the account key", async () => {
    const { node } = await sharedLitecoinChain();
    const { descriptor } = await node.rpc<{ descriptor: string }>("getdescriptorinfo", [
      `wpkh(${testAccountKey}/0/*)`,
    ]);
    const expected = await node.rpc("deriveaddresses", [descriptor, [0, 19]]);
    const chain = openLitecoin(node);
    const derived = Array.from({ length: 20 }, (_, index) => chain.addressAt(index, "LTC"));
    assert.deepEqual(derived, expected);
    assert.throws(() => chain.addressAt(0, "BTC"), /litecoin-regtest has no BTC/);
  });

  test("the chain describes itself", async () => {
    const { node } = await sharedLitecoinChain();
    const confirmations = [
      { fromCents: 0, needed: 6 },
      { fromCents: 1_000_00, needed: 12 },
    ];
    const chain = openLitecoin(node, { confirmations });
    const { network, addressNetwork, publicKey, finalDepth, assets } = chain;
    assert.deepEqual(
      { network, addressNetwork, publicKey, finalDepth },
      {
        network: "litecoin-regtest",
        addressNetwork: "test",
        publicKey: testAccountKey,
        finalDepth: 112,
      },
    );
    assert.deepEqual([...assets], [["LTC", { decimals: 8, confirmations }]]);
    const { height, behindBlocks, version, peers } = await chain.health(signal);
    assert.equal(height, await node.rpc("getblockcount"));
    assert.deepEqual([behindBlocks, peers], [0, 0]);
    assert.match(version, /^LitecoinCore:0\.21/);
    await chain.prepareAddress(5, signal);
  });

  test("a payment is seen in the pool, then in its block, and gains confirmations", async () => {
    const chain = await sharedLitecoinChain();
    const watch = await watchLitecoin(chain.node);
    const address = watch.issue();
    const { transactionId } = await chain.pay(address, "1.23456789");
    await watch.catchUp();
    const pooled = {
      asset: "LTC",
      address,
      transactionId,
      outputIndex: 0,
      amountUnits: 123_456_789n,
      block: undefined,
      confirmations: 0,
      isGone: false,
    };
    assert.deepEqual(watch.outputs, [pooled]);

    const [hash] = await chain.mine();
    await watch.catchUp();
    const height = await chain.node.rpc<number>("getblockcount");
    const mined = { ...pooled, block: { height, hash }, confirmations: 1 };
    assert.deepEqual(watch.outputs, [mined]);
    assert.deepEqual(watch.cursor, { height, hash });

    await chain.mine(3);
    await watch.catchUp();
    assert.deepEqual(watch.outputs, [{ ...mined, confirmations: 4 }]);
  });

  test("one transaction pays two issued addresses, and one of them twice", async () => {
    const chain = await sharedLitecoinChain();
    const watch = await watchLitecoin(chain.node);
    const [one, other] = [watch.issue(), watch.issue()];
    const { transactionId } = await chain.payMany([
      { address: one, coins: "0.5" },
      { address: await chain.newAddress(), coins: "0.75" },
      { address: other, coins: "0.25" },
      { address: one, coins: "0.125" },
    ]);
    const expected = [[one, 50_000_000n], undefined, [other, 25_000_000n], [one, 12_500_000n]];
    for (const confirmations of [0, 1]) {
      await watch.catchUp();
      const seen = [0, 1, 2, 3].map((index) => watch.output(transactionId, index));
      assert.deepEqual(
        seen.map((output) => output && [output.address, output.amountUnits]),
        expected,
      );
      for (const output of watch.outputs) assert.equal(output.confirmations, confirmations);
      await chain.mine();
    }
    assert.equal(watch.outputs.length, 3);
  });

  test("payments to other addresses leave nothing, in the pool and in blocks", async () => {
    const chain = await sharedLitecoinChain();
    const watch = await watchLitecoin(chain.node);
    const address = watch.issue();
    const legacy = await chain.node.walletRpc<string>("miner", "getnewaddress", ["", "legacy"]);
    for (let payment = 0; payment < 6; payment += 1) {
      await chain.pay(payment % 2 === 0 ? await chain.newAddress() : legacy, "0.01");
    }
    await watch.catchUp();
    assert.equal(watch.outputs.length, 0);
    const { transactionId } = await chain.pay(address, "0.5");
    await watch.catchUp();
    await chain.mine();
    await watch.catchUp();
    assert.deepEqual(
      watch.outputs.map((output) => [output.transactionId, output.confirmations]),
      [[transactionId, 1]],
    );
  });

  test("a payment in the pool is reported again, in case the caller could not store it", async () => {
    const chain = await sharedLitecoinChain();
    const watch = await watchLitecoin(chain.node);
    const { transactionId } = await chain.pay(watch.issue(), "0.5");
    for (let scan = 0; scan < 2; scan += 1) {
      const { outputs } = await watch.scan();
      assert.deepEqual(
        outputs.map((output) => output.transactionId),
        [transactionId],
      );
    }
    await chain.mine();
    await watch.scan();
    assert.deepEqual((await watch.scan()).outputs, []);
  });

  test("an output of one unit and one with eight decimals arrive exactly", async () => {
    const chain = await sharedLitecoinChain();
    const watch = await watchLitecoin(chain.node);
    const [dust, large] = [watch.issue(), watch.issue()];
    const wallet = <T>(method: string, ...parameters: unknown[]) =>
      chain.node.walletRpc<T>("miner", method, parameters);
    const unspent = await wallet<Unspent[]>("listunspent");
    const input = unspent.find(({ amount }) => amount > 13);
    const outputs = [{ [dust]: "0.00000001" }, { [large]: "12.34567891" }];
    const raw = await chain.node.rpc("createrawtransaction", [[input], outputs]);
    const { hex } = await wallet<{ hex: string }>("signrawtransactionwithwallet", raw);
    const { txid } = await chain.node.rpc<{ txid: string }>("decoderawtransaction", [hex]);
    // Nodes do not relay an output of one unit, but a miner can include it.
    await chain.node.rpc("generateblock", [await chain.newAddress(), [hex]]);
    await watch.catchUp();
    assert.equal(watch.output(txid, 0)?.amountUnits, 1n);
    assert.equal(watch.output(txid, 1)?.amountUnits, 1_234_567_891n);
  });

  test("a coinbase output needs 100 confirmations", async () => {
    const chain = await sharedLitecoinChain();
    const watch = await watchLitecoin(chain.node);
    const address = watch.issue();
    await chain.mine(1, address);
    await watch.catchUp();
    const [output] = watch.outputs;
    assert.deepEqual(
      [output?.address, output?.confirmations, output?.confirmationsNeeded],
      [address, 1, 100],
    );
    const { transactionId } = await chain.pay(address, "1");
    await chain.mine();
    await watch.catchUp();
    const paid = watch.output(transactionId);
    assert.ok(paid !== undefined && !("confirmationsNeeded" in paid));
  });

  test("a replacement makes the first payment disappear, and the second stays", async () => {
    const chain = await sharedLitecoinChain();
    const watch = await watchLitecoin(chain.node);
    const { transactionId } = await chain.pay(watch.issue(), "1");
    await watch.catchUp();
    const replacement = await chain.replaceWithHigherFee(transactionId);
    await watch.catchUp();
    assert.equal(watch.output(transactionId)?.isGone, true);
    const second = watch.outputs.find((output) => output.transactionId === replacement);
    assert.deepEqual([second?.isGone, second?.amountUnits], [false, 100_000_000n]);

    await chain.mine();
    await watch.catchUp();
    assert.equal(watch.output(transactionId)?.isGone, true);
    assert.equal(watch.output(replacement, second?.outputIndex)?.confirmations, 1);
  });

  test("pages start at the birth height, are bounded, and report every block once", async () => {
    const chain = await sharedLitecoinChain();
    const tip = await chain.node.rpc<number>("getblockcount");
    const birthHeight = tip - 70;
    const adapter = openLitecoin(chain.node, { birthHeight });
    const blocks: number[] = [];
    const own = {
      among: async (addresses: readonly string[]) => {
        blocks.push(addresses.length);
        return new Set<string>();
      },
    };
    const first = await adapter.scan(undefined, own, signal);
    assert.deepEqual([first.cursor.height, first.hasMore], [birthHeight + 49, true]);
    assert.equal(blocks.length, 50);
    const second = await adapter.scan(first.cursor, own, signal);
    assert.deepEqual([second.cursor.height, second.hasMore], [tip, false]);
    assert.equal(blocks.length, 71);
  });

  test("a node that has not reached the birth height is unavailable", async () => {
    const { node } = await sharedLitecoinChain();
    const chain = openLitecoin(node, { birthHeight: 1_000_000 });
    const own = { among: async () => new Set<string>() };
    await assert.rejects(chain.scan(undefined, own, signal), {
      name: "SettlementUnavailable",
      message: /before the birth height 1000000/,
    });
  });
});
