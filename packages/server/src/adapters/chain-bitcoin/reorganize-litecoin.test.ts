import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { skipWithout } from "#test/components.ts";
import { sharedLitecoinChain } from "#test/litecoin-chain.ts";
import { openLitecoin, watchLitecoin } from "#test/litecoin-watch.ts";

const skip = await skipWithout("litecoind");
const { signal } = new AbortController();

describe("reorganizations on a real litecoind", { skip }, () => {
  for (const depth of [1, 2, 3, 4, 5, 6]) {
    test(`a reorganization of ${depth} blocks returns a payment to the pool, and a later block has it again`, async () => {
      const chain = await sharedLitecoinChain();
      const watch = await watchLitecoin(chain.node);
      const { transactionId } = await chain.pay(watch.issue(), "1");
      await chain.mine(depth);
      await watch.catchUp();
      assert.equal(watch.output(transactionId)?.confirmations, depth);

      await chain.reorganise(depth);
      assert.equal(await watch.catchUp(), depth);
      const { block, confirmations, isGone } = watch.output(transactionId)!;
      assert.deepEqual([block, confirmations, isGone], [undefined, 0, false]);
      assert.equal(watch.cursor?.hash, await chain.node.rpc("getbestblockhash"));

      const [hash] = await chain.mine();
      assert.equal(await watch.catchUp(), 0);
      const again = watch.output(transactionId);
      assert.deepEqual([again?.block?.hash, again?.confirmations], [hash, 1]);
    });
  }

  test("a payment that the new branch mines keeps its key and gets another block", async () => {
    const chain = await sharedLitecoinChain();
    const watch = await watchLitecoin(chain.node);
    const { transactionId } = await chain.pay(watch.issue(), "1");
    await chain.mine(2);
    await watch.catchUp();
    const { added } = await chain.reorganise(2, { mineAgain: true });
    assert.equal(await watch.catchUp(), 2);
    assert.equal(watch.outputs.length, 1);
    const output = watch.output(transactionId);
    assert.deepEqual([output?.block?.hash, output?.confirmations], [added[0], 3]);
  });

  test("the way back from a long orphaned branch continues on the next page", async () => {
    const chain = await sharedLitecoinChain();
    const watch = await watchLitecoin(chain.node);
    await chain.mine(4);
    await watch.catchUp();
    const { height } = watch.cursor!;
    await chain.reorganise(4);
    const hurried = openLitecoin(chain.node, { answerMs: 0 });
    const scans = [await watch.scan(hurried), await watch.scan(hurried), await watch.scan(hurried)];
    assert.deepEqual(
      scans.map(({ undone, hasMore, cursor }) => [undone, hasMore, cursor.height - height]),
      [
        [1, true, -1],
        [1, true, -2],
        [1, true, -3],
      ],
    );
    assert.equal(await watch.catchUp(hurried), 1);
    assert.equal(watch.cursor?.hash, await chain.node.rpc("getbestblockhash"));
  });

  for (const depth of [0, 1, 3, 6]) {
    test(`a payment with ${depth} confirmations is gone after a double spend`, async () => {
      const chain = await sharedLitecoinChain();
      const watch = await watchLitecoin(chain.node);
      const { transactionId } = await chain.pay(watch.issue(), "1");
      if (depth > 0) await chain.mine(depth);
      await watch.catchUp();
      assert.equal(watch.output(transactionId)?.confirmations, depth);
      await chain.doubleSpend(transactionId);
      assert.equal(await watch.catchUp(), depth);
      const { block, confirmations, isGone } = watch.output(transactionId)!;
      assert.deepEqual([block, confirmations, isGone], [undefined, 0, true]);
    });
  }

  test("a payment is not gone while a block that may contain it is not scanned", async () => {
    const chain = await sharedLitecoinChain();
    const watch = await watchLitecoin(chain.node);
    const { transactionId } = await chain.pay(watch.issue(), "1");
    await watch.catchUp();
    await chain.mine();
    // The transaction is in a block, so it is no longer in the pool.
    assert.deepEqual(await watch.chain.recheck(watch.outputs, watch.cursor!, signal), []);
    await watch.catchUp();
    assert.equal(watch.output(transactionId)?.confirmations, 1);
  });

  test("blocks that disappear without a replacement leave confirmations as they were", async () => {
    const chain = await sharedLitecoinChain();
    const watch = await watchLitecoin(chain.node);
    const { transactionId } = await chain.pay(watch.issue(), "1");
    await chain.mine(2);
    await watch.catchUp();
    const { cursor } = watch;
    const { block } = watch.output(transactionId)!;
    await chain.node.rpc("invalidateblock", [block?.hash]);
    const scan = await watch.scan();
    assert.deepEqual(scan, { cursor, undone: 0, outputs: [], fates: [], hasMore: false });
    await watch.recheck();
    assert.equal(watch.output(transactionId)?.confirmations, 2);

    await chain.mine(3);
    assert.equal(await watch.catchUp(), 2);
    const again = watch.output(transactionId)!;
    assert.equal(again.confirmations, 3);
    assert.notEqual(again.block?.hash, block?.hash);
  });
});
