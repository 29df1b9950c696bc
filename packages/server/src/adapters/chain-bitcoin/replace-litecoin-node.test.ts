import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { inspect } from "node:util";
import { skipWithout } from "#test/components.ts";
import { startLitecoinChain, type LitecoinChain } from "#test/litecoin-chain.ts";
import { startLitecoind, type Litecoind } from "#test/litecoind.ts";
import { openLitecoin, watchLitecoin } from "#test/litecoin-watch.ts";
import { SettlementFailed, SettlementUnavailable } from "#ports/settlement.ts";

const skip = await skipWithout("litecoind");
const { signal } = new AbortController();
const own = { among: async () => new Set<string>() };

describe("another node behind the same chain", { skip }, () => {
  let chain: LitecoinChain;
  before(async () => {
    chain = await startLitecoinChain();
  });
  after(() => chain.node.stop());

  test("a node that lacks the last blocks changes nothing until it has them", async (t) => {
    const watch = await watchLitecoin(chain.node);
    const mined = await chain.pay(watch.issue(), "1");
    await chain.mine(3);
    const pooled = await chain.pay(watch.issue(), "2");
    await watch.catchUp();
    const { cursor, outputs } = watch;
    assert.deepEqual(
      outputs.map(({ confirmations }) => confirmations),
      [3, 0],
    );

    const other = await startLitecoind();
    t.after(() => other.stop());
    const replaced = openLitecoin(other);
    const blocks = await blocksOf(chain.node);
    const unchanged = { cursor, undone: 0, outputs: [], fates: [], hasMore: false };

    // It knows nothing of the cursor.
    assert.deepEqual(await watch.scan(replaced), unchanged);
    await watch.recheck(replaced);
    assert.deepEqual(watch.outputs, outputs);

    // It knows the cursor's header but not its block.
    for (const block of blocks) await other.rpc("submitheader", [block.slice(0, 160)]);
    for (const block of blocks.slice(0, -4)) await other.rpc("submitblock", [block]);
    assert.equal((await replaced.health(signal)).behindBlocks, 4);
    assert.deepEqual(await watch.scan(replaced), unchanged);
    await watch.recheck(replaced);
    assert.deepEqual(watch.outputs, outputs);

    for (const block of blocks.slice(-4)) await other.rpc("submitblock", [block]);
    assert.equal(await watch.catchUp(replaced), 0);
    assert.equal(watch.output(mined.transactionId)?.confirmations, 3);
    // The pool of the new node is empty, and its last block is the cursor.
    assert.equal(watch.output(pooled.transactionId)?.isGone, true);
    await watch.catchUp();
    assert.equal(watch.output(pooled.transactionId)?.isGone, false);
    await chain.mine();
  });

  test("a node that never saw the cursor is scanned again from the last final block", async (t) => {
    const watch = await watchLitecoin(chain.node);
    const lost = await chain.pay(watch.issue(), "1");
    await chain.mine();
    await watch.catchUp();
    const { height } = watch.cursor!;

    const other = await startLitecoinChain();
    t.after(() => other.node.stop());
    const address = watch.issue();
    const { transactionId } = await other.pay(address, "2");
    await other.mine(10);
    const replaced = openLitecoin(other.node);
    const { finalDepth } = replaced;
    assert.ok(height > finalDepth);

    const first = await watch.scan(replaced);
    assert.deepEqual(
      [first.undone, first.cursor.height, first.hasMore],
      [finalDepth, height - finalDepth + 50, true],
    );
    assert.equal(await watch.catchUp(replaced), 0);
    assert.equal(watch.cursor?.hash, await other.node.rpc("getbestblockhash"));
    assert.deepEqual(
      [watch.output(transactionId)?.address, watch.output(transactionId)?.confirmations],
      [address, 10],
    );
    assert.equal(watch.output(lost.transactionId)?.isGone, true);
  });

  test("the scan of an unknown branch does not go back before the birth height", async (t) => {
    const other = await startLitecoind();
    t.after(() => other.stop());
    const address = openLitecoin(other).addressAt(1_000_000, "LTC");
    await other.rpc("generatetoaddress", [8, address]);
    const replaced = openLitecoin(other, { birthHeight: 3 });
    const unknown = { height: 5, hash: "00".repeat(32) };
    const all = { among: async (addresses: readonly string[]) => new Set(addresses) };
    const { undone, cursor, outputs } = await replaced.scan(unknown, all, signal);
    assert.deepEqual([undone, cursor.height], [3, 8]);
    assert.deepEqual(
      outputs.map(({ block }) => block?.height),
      [3, 4, 5, 6, 7, 8],
    );
  });

  test("a node on another chain is refused for every call", async () => {
    const tip = { height: 0, hash: "00".repeat(32) };
    for (const changes of [{ network: "testnet" }, { kind: "bitcoin" }] as const) {
      const wrong = openLitecoin(chain.node, changes);
      for (const call of [
        () => wrong.health(signal),
        () => wrong.scan(undefined, own, signal),
        () => wrong.recheck([], tip, signal),
      ]) {
        await assert.rejects(call, (error) => {
          assert.ok(error instanceof SettlementFailed);
          assert.match(error.message, /^The node of \w+-\w+ is on another chain \(regtest, /);
          return true;
        });
      }
    }
  });

  test("a node that restarts writes a new cookie, and the next call uses it", async () => {
    const adapter = openLitecoin(chain.node);
    const { height } = await adapter.health(signal);
    const cookie = await readFile(chain.node.cookieFile, "utf8");
    await chain.node.restart();
    assert.notEqual(await readFile(chain.node.cookieFile, "utf8"), cookie);
    assert.equal((await adapter.health(signal)).height, height);
  });

  test("a stopped node is unavailable, and works again after its start", async () => {
    const adapter = openLitecoin(chain.node);
    const { height } = await adapter.health(signal);
    await chain.node.kill({ keepBlocks: true });
    await assert.rejects(adapter.health(signal), (error) => {
      assert.ok(error instanceof SettlementUnavailable);
      assert.match(error.message, /^litecoin-regtest cannot be reached/);
      return true;
    });
    await chain.node.restart();
    assert.equal((await adapter.health(signal)).height, height);
  });
});

test("a wrong password is unavailable, and appears in no error", { skip }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "ironlease-password-"));
  const passwordFile = join(folder, "password");
  t.after(() => rm(folder, { recursive: true }));
  const node = await startLitecoind({ credentials: { user: "desk", password: "right-one" } });
  t.after(() => node.stop());
  const adapter = openLitecoin(node, { credentials: { user: "desk", passwordFile } });

  await writeFile(passwordFile, "wrong-one\n");
  await assert.rejects(adapter.health(signal), (error) => {
    assert.ok(error instanceof SettlementUnavailable);
    assert.match(error.message, /^litecoin-regtest refused the RPC credentials/);
    assert.ok(!inspect(error).includes("wrong-one"));
    return true;
  });
  await writeFile(passwordFile, "right-one\n");
  assert.equal((await adapter.health(signal)).height, 0);
});

/** All blocks above the first one, as hexadecimal text. */
async function blocksOf(node: Litecoind): Promise<readonly string[]> {
  const height = await node.rpc<number>("getblockcount");
  const blocks: string[] = [];
  for (let at = 1; at <= height; at += 1) {
    blocks.push(await node.rpc("getblock", [await node.rpc("getblockhash", [at]), 0]));
  }
  return blocks;
}
