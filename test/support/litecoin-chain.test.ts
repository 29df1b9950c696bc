import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { skipWithout } from "./components.ts";
import { sharedLitecoinChain, startLitecoinChain, type LitecoinChain } from "./litecoin-chain.ts";

interface Output {
  readonly value: number;
  readonly scriptPubKey: { readonly addresses: readonly string[] };
}
interface Known {
  readonly confirmations?: number;
  readonly blockhash?: string;
  readonly vin: readonly { readonly txid: string; readonly vout: number }[];
  readonly vout: readonly Output[];
}

describe("a chain of a real litecoind", { skip: await skipWithout("litecoind") }, () => {
  test("mine adds blocks, and their rewards go to the address", async () => {
    const chain = await sharedLitecoinChain();
    const before = await heightOf(chain);
    const address = await chain.newAddress();
    const [first, second] = await chain.mine(2, address);
    assert.equal(await heightOf(chain), before + 2);
    assert.equal(await chain.node.rpc("getblockhash", [before + 1]), first);
    assert.equal(await chain.node.rpc("getbestblockhash"), second);
    const { tx } = await chain.node.rpc<{ tx: Known[] }>("getblock", [second, 2]);
    assert.deepEqual(tx[0]?.vout[0]?.scriptPubKey.addresses, [address]);
  });

  test("a payment waits in the mempool until a block has it", async () => {
    const chain = await sharedLitecoinChain();
    const address = await chain.newAddress();
    const { transactionId, outputIndexes } = await chain.pay(address, "1.23456789");
    assert.ok((await mempoolOf(chain)).includes(transactionId));
    const { vout } = await find(chain, transactionId);
    assert.deepEqual(
      outputIndexes.map((index) => paidBy(vout[index])),
      [[address, 1.23456789]],
    );

    const [block] = await chain.mine();
    const { confirmations, blockhash } = await find(chain, transactionId);
    assert.deepEqual({ confirmations, blockhash }, { confirmations: 1, blockhash: block });
  });

  test("one transaction pays two addresses, and one of them twice", async () => {
    const chain = await sharedLitecoinChain();
    const [one, other] = [await chain.newAddress(), await legacyAddress(chain)];
    const outputs = [
      { address: one, coins: "0.5" },
      { address: other, coins: "0.25" },
      { address: one, coins: "0.125" },
    ];
    const { transactionId, outputIndexes } = await chain.payMany(outputs);
    await chain.mine();
    const { vout, confirmations } = await find(chain, transactionId);
    assert.equal(confirmations, 1);
    assert.deepEqual(
      outputIndexes.map((index) => paidBy(vout[index])),
      [
        [one, 0.5],
        [other, 0.25],
        [one, 0.125],
      ],
    );
  });

  test("a reorganisation returns a payment to the mempool", async () => {
    const chain = await sharedLitecoinChain();
    const { transactionId } = await chain.pay(await chain.newAddress(), "1");
    await chain.mine(2);
    const before = await heightOf(chain);

    const { removed, added } = await chain.reorganise(2);
    assert.equal(await heightOf(chain), before + 1);
    assert.deepEqual([removed.length, added.length], [2, 3]);
    assert.equal(await chain.node.rpc("getbestblockhash"), added.at(-1));
    for (const block of removed) assert.equal(await confirmationsOf(chain, block), -1);
    assert.deepEqual(await mempoolOf(chain), [transactionId]);
    await chain.mine();
  });

  test("a reorganisation mines a payment again in another block if the test says so", async () => {
    const chain = await sharedLitecoinChain();
    const { transactionId } = await chain.pay(await chain.newAddress(), "1");
    const [first] = await chain.mine();

    const { removed, added } = await chain.reorganise(1, { mineAgain: true });
    assert.deepEqual(removed, [first]);
    assert.equal((await find(chain, transactionId)).blockhash, added[0]);
  });

  test("a replacement pays the same with a higher fee, and the first payment is gone", async () => {
    const chain = await sharedLitecoinChain();
    const address = await chain.newAddress();
    const { transactionId } = await chain.pay(address, "1");
    const fee = await feeOf(chain, transactionId);

    const replacement = await chain.replaceWithHigherFee(transactionId);
    assert.deepEqual(await mempoolOf(chain), [replacement]);
    assert.ok((await feeOf(chain, replacement)) > fee);
    assert.ok((await payeesOf(chain, replacement)).includes(address));
    await chain.mine();
    await assert.rejects(find(chain, transactionId), { code: -5 });
  });

  for (const blocks of [0, 2]) {
    test(`a double spend removes a payment with ${blocks} confirmations for good`, async () => {
      const chain = await sharedLitecoinChain();
      const address = await chain.newAddress();
      const { transactionId, outputIndexes } = await chain.pay(address, "1");
      const output = [transactionId, outputIndexes[0]];
      if (blocks > 0) await chain.mine(blocks);
      const before = await heightOf(chain);
      const { vin } = await find(chain, transactionId);
      assert.notEqual(await chain.node.rpc("gettxout", output), null);

      const winner = await chain.doubleSpend(transactionId);
      assert.equal(await heightOf(chain), before + 1);
      const spent = await find(chain, winner);
      assert.equal(spent.confirmations, blocks + 1);
      assert.deepEqual(spent.vin.map(outpointOf), vin.map(outpointOf));
      assert.ok(!(await payeesOf(chain, winner)).includes(address));
      assert.deepEqual(await mempoolOf(chain), []);
      // The transaction index still has it if a removed block does, so the outputs are asked.
      assert.equal(await chain.node.rpc("gettxout", output), null);
    });
  }

  test("a chain of one's own can pay again after its node was killed", async (t) => {
    const chain = await startLitecoinChain();
    t.after(() => chain.node.stop());
    const before = await heightOf(chain);
    await chain.node.kill({ keepBlocks: true });
    await chain.node.restart();
    assert.equal(await heightOf(chain), before);
    const { transactionId } = await chain.pay(await chain.newAddress(), "1");
    assert.deepEqual(await mempoolOf(chain), [transactionId]);
  });

  test("a node with headers of unknown blocks is behind until it has mined past them", async () => {
    const chain = await sharedLitecoinChain();
    const before = await heightOf(chain);
    await chain.behind(2);
    assert.deepEqual(await progressOf(chain), { blocks: before, headers: before + 2 });
    await chain.mine(3);
    assert.deepEqual(await progressOf(chain), { blocks: before + 3, headers: before + 3 });
  });
});

function heightOf({ node }: LitecoinChain): Promise<number> {
  return node.rpc("getblockcount");
}

function mempoolOf({ node }: LitecoinChain): Promise<readonly string[]> {
  return node.rpc("getrawmempool");
}

function find({ node }: LitecoinChain, transactionId: string): Promise<Known> {
  return node.rpc("getrawtransaction", [transactionId, true]);
}

async function confirmationsOf({ node }: LitecoinChain, block: string): Promise<number> {
  return (await node.rpc<{ confirmations: number }>("getblockheader", [block])).confirmations;
}

async function feeOf({ node }: LitecoinChain, transactionId: string): Promise<number> {
  const entry = await node.rpc<{ fees: { base: number } }>("getmempoolentry", [transactionId]);
  return entry.fees.base;
}

async function payeesOf(chain: LitecoinChain, transactionId: string): Promise<readonly string[]> {
  const { vout } = await find(chain, transactionId);
  return vout.flatMap(({ scriptPubKey }) => scriptPubKey.addresses);
}

async function progressOf({ node }: LitecoinChain) {
  const { blocks, headers } = await node.rpc<{ blocks: number; headers: number }>(
    "getblockchaininfo",
  );
  return { blocks, headers };
}

function legacyAddress({ node }: LitecoinChain): Promise<string> {
  return node.walletRpc("miner", "getnewaddress", ["", "legacy"]);
}

function paidBy(output: Output | undefined) {
  return [output?.scriptPubKey.addresses[0], output?.value];
}

function outpointOf({ txid, vout }: Known["vin"][number]): string {
  return `${txid}:${vout}`;
}
