import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, before, beforeEach, describe, test } from "node:test";
import { ChainWatch } from "#test/chain-watch.ts";
import { refuse, startScriptedBitcoind, type ScriptedBitcoind } from "#test/scripted-bitcoind.ts";
import { SettlementFailed, SettlementUnavailable } from "#ports/settlement.ts";
import { createBitcoinChain, type BitcoinChainOptions } from "./bitcoin-chain.ts";

const { signal } = new AbortController();
const birthHeight = 840_000;
/** The account of BIP84's test vectors, and the scripts of its first two deposit addresses. */
const accountPublicKey =
  "zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs";
const scripts = [
  "0014c0cebcd6c3d3ca8c75dc5ec62ebe55330ef910e2",
  "00149c90f934ea51fa0f6504177043e0908da6929983",
] as const;
const foreign = `0014${"66".repeat(20)}`;
const own = { among: async (addresses: readonly string[]) => new Set(addresses) };

let folder: string;
let cookieFile: string;
let node: ScriptedBitcoind;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "ironlease-bitcoind-"));
  cookieFile = join(folder, ".cookie");
  await writeFile(cookieFile, "__cookie__:0123456789abcdef");
});
after(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  node = await startScriptedBitcoind(birthHeight);
});
afterEach(() => node.stop());

describe("Bitcoin on a node with the answers of Bitcoin Core 29", () => {
  test("a payment is seen in the pool and in its block, with exact amounts", async () => {
    const watch = new ChainWatch(open(), 0);
    const addresses = [watch.issue(), watch.issue()];
    assert.deepEqual(addresses, [
      "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu",
      "bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g",
    ]);
    const txid = "aa".repeat(32);
    const payment = {
      txid,
      outputs: [
        { script: scripts[0], coins: 20_999_999.97690001 },
        { script: foreign, coins: 1 },
        { script: scripts[1], coins: 1e-8 },
        { script: `76a914${"66".repeat(20)}88ac`, coins: 1 },
      ],
    };
    node.addToPool(payment, { txid: "bb".repeat(32), outputs: [{ script: foreign, coins: 2 }] });
    await watch.catchUp();
    const seen = () =>
      watch.outputs.map(({ asset, ...output }) => [asset, ...Object.values(output)]);
    assert.deepEqual(seen(), [
      ["BTC", addresses[0], txid, 0, 2_099_999_997_690_001n, undefined, 0, false],
      ["BTC", addresses[1], txid, 2, 1n, undefined, 0, false],
    ]);

    node.mine(payment);
    node.mine();
    await watch.catchUp();
    const block = { height: birthHeight + 1, hash: node.hashAt(birthHeight + 1) };
    assert.deepEqual(seen(), [
      ["BTC", addresses[0], txid, 0, 2_099_999_997_690_001n, block, 2, false],
      ["BTC", addresses[1], txid, 2, 1n, block, 2, false],
    ]);
  });

  test("the chain describes itself, and health names the version and the peers", async () => {
    const chain = open();
    assert.deepEqual(
      [chain.network, chain.addressNetwork, chain.finalDepth],
      ["bitcoin", "main", 102],
    );
    assert.match(chain.publicKey, /^xpub/);
    assert.deepEqual(await chain.health(signal), {
      height: birthHeight,
      behindBlocks: 0,
      version: "Satoshi:29.0.0",
      peers: 10,
    });
  });

  test("a node without peers, or in its first download, is unavailable", async () => {
    const chain = open();
    const network = { subversion: "/Satoshi:29.0.0/", connections: 0 };
    node.override("getnetworkinfo", () => ({ result: network }));
    await assert.rejects(chain.health(signal), unavailable(/^The node of bitcoin has no peers$/));
    node.override("getblockchaininfo", () => ({
      result: {
        chain: "main",
        blocks: 5,
        headers: 9,
        bestblockhash: node.hashAt(5),
        initialblockdownload: true,
      },
    }));
    await assert.rejects(chain.health(signal), unavailable(/still downloading .*: block 5 of 9$/));
  });

  test("a pruned block fails the scan with advice", async () => {
    node.override("getblock", () => refuse(-1, "Block not available (pruned data)"));
    await assert.rejects(
      open().scan(undefined, own, signal),
      failed(/^bitcoin has pruned block 840000\. Use a node that keeps all blocks/),
    );
  });

  test("a block that the node knows but has not downloaded is unavailable", async () => {
    node.override("getblock", () => refuse(-1, "Block not found on disk"));
    await assert.rejects(
      open().scan(undefined, own, signal),
      unavailable(/^bitcoin does not have block 840000 yet$/),
    );
  });

  test("a page ends after one block when its time is over", async () => {
    for (let block = 0; block < 3; block += 1) node.mine();
    const chain = open({ answerMs: 0 });
    let { cursor, hasMore } = await chain.scan(undefined, own, signal);
    const heights = [cursor.height];
    while (hasMore) {
      ({ cursor, hasMore } = await chain.scan(cursor, own, signal));
      heights.push(cursor.height);
    }
    assert.deepEqual(
      heights.map((height) => height - birthHeight),
      [0, 1, 2, 3],
    );
  });

  test("a page ends before a block that does not follow its predecessor", async () => {
    for (let block = 0; block < 3; block += 1) node.mine();
    const hash = node.hashAt(birthHeight + 2);
    node.override("getblock", ({ params }) => {
      if (params[0] !== hash) return undefined;
      const orphan = { hash, height: birthHeight + 2, confirmations: -1, tx: [] };
      return { result: { ...orphan, previousblockhash: "99".repeat(32) } };
    });
    const scan = await open().scan(undefined, own, signal);
    assert.deepEqual([scan.cursor.height, scan.hasMore], [birthHeight + 1, true]);
  });

  test("each transaction of the pool is read once, in batches, and a full pool takes several scans", async () => {
    const transactions = Array.from({ length: 50 }, (_, index) => ({
      txid: (index + 1).toString(16).padStart(64, "a"),
      outputs: [{ script: index === 49 ? scripts[0] : foreign, coins: 1 }],
    }));
    node.addToPool(...transactions);
    const chain = open({ answerMs: 0 });
    const mine = { among: async () => new Set([chain.addressAt(0, "BTC")]) };
    let { cursor, hasMore, outputs } = await chain.scan(undefined, mine, signal);
    let scans = 1;
    while (hasMore) {
      ({ cursor, hasMore, outputs } = await chain.scan(cursor, mine, signal));
      scans += 1;
    }
    assert.equal(scans, 3);
    assert.deepEqual(
      outputs.map(({ transactionId }) => transactionId),
      [transactions[49]?.txid],
    );
    const read = node.calls.filter(({ method }) => method === "getrawtransaction");
    assert.equal(read.length, 50);
    await chain.scan(cursor, mine, signal);
    assert.equal(node.calls.filter(({ method }) => method === "getrawtransaction").length, 50);
  });

  test("transactions that leave the pool during the scan are left out", async () => {
    const [gone, mined] = ["cc".repeat(32), "dd".repeat(32)];
    node.override("getrawmempool", () => ({ result: [gone, mined] }));
    const output = { value: 1, n: 0, scriptPubKey: { hex: scripts[0] } };
    node.override("getrawtransaction", ({ params }) =>
      params[0] === gone
        ? undefined
        : { result: { txid: mined, vin: [], vout: [output], blockhash: "ee".repeat(32) } },
    );
    const { outputs, hasMore } = await open().scan(undefined, own, signal);
    assert.deepEqual([outputs, hasMore], [[], false]);
  });

  test("a payment is not gone while the node restores its pool after a start", async () => {
    const watch = new ChainWatch(open(), 0);
    watch.issue();
    node.addToPool({ txid: "aa".repeat(32), outputs: [{ script: scripts[0], coins: 1 }] });
    await watch.catchUp();
    node.clearPool();
    node.override("getmempoolinfo", () => ({ result: { loaded: false, size: 0 } }));
    await watch.catchUp();
    assert.equal(watch.output("aa".repeat(32))?.isGone, false);
    node.override("getmempoolinfo", undefined);
    await watch.catchUp();
    assert.equal(watch.output("aa".repeat(32))?.isGone, true);
  });

  test("a payment is not gone when a block arrives during the recheck", async () => {
    const watch = new ChainWatch(open(), 0);
    watch.issue();
    const payment = { txid: "aa".repeat(32), outputs: [{ script: scripts[0], coins: 1 }] };
    node.addToPool(payment);
    await watch.catchUp();
    node.override("getmempoolentry", () => {
      node.override("getmempoolentry", undefined);
      node.mine(payment);
      return undefined;
    });
    await watch.recheck();
    assert.equal(watch.output(payment.txid)?.isGone, false);
    await watch.catchUp();
    assert.equal(watch.output(payment.txid)?.confirmations, 1);
  });

  for (const [method, result, message] of [
    ["getblockchaininfo", { chain: "main" }, /getblockchaininfo without a valid blocks/],
    ["getblockchaininfo", "main", /getblockchaininfo without a valid object/],
    ["getblockhash", "12", /getblockhash without a valid hash/],
    ["getblock", { hash: "12" }, /getblock without a valid hash/],
    ["getrawmempool", { txids: [] }, /getrawmempool without a valid list/],
    ["getrawmempool", ["12"], /getrawmempool without a valid txid/],
  ] as const) {
    test(`${method} with ${JSON.stringify(result)} as its answer fails the scan`, async () => {
      node.override(method, () => ({ result }));
      await assert.rejects(open().scan(undefined, own, signal), failed(message));
    });
  }

  test("a payment without a valid amount fails the scan", async () => {
    node.mine({ txid: "aa".repeat(32), outputs: [{ script: scripts[0], coins: -1 }] });
    await assert.rejects(open().scan(undefined, own, signal), failed(/valid output value/));
  });
});

test("options that cannot work are refused, and the error quotes no secret", () => {
  for (const [changes, message] of [
    [{ rpcUrl: "http://user:hunter2@127.0.0.1:8332" }, /must not contain credentials/],
    [{ rpcUrl: "127.0.0.1:8332" }, /must be an http or https address/],
    [{ birthHeight: -1 }, /birthHeight must be a whole number/],
    [{ kind: "litecoin", network: "signet" }, /does not support litecoin on signet/],
    [{ network: "regtest" }, /belongs to the main network/],
  ] as const) {
    const refused = (error: Error) => message.test(error.message) && !/hunter2/.test(error.message);
    assert.throws(() => open(changes), refused);
  }
});

function open(changes: Partial<BitcoinChainOptions> = {}) {
  return createBitcoinChain({
    kind: "bitcoin",
    network: "mainnet",
    rpcUrl: node.url,
    credentials: { cookieFile },
    accountPublicKey,
    birthHeight,
    confirmations: [{ fromCents: 0, needed: 2 }],
    ...changes,
  });
}

function unavailable(message: RegExp) {
  return (error: unknown) => error instanceof SettlementUnavailable && message.test(error.message);
}

function failed(message: RegExp) {
  return (error: unknown) => error instanceof SettlementFailed && message.test(error.message);
}
