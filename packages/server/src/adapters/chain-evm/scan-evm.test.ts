import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { addr } from "micro-eth-signer";
import { abi, contracts, evmPayer, sharedAnvilChain, testEvmAccount } from "#test/anvil-chain.ts";
import { skipWithoutAnvil, startAnvil } from "#test/anvil.ts";
import { openEvm, watchEvm } from "#test/evm-watch.ts";
import { startNodeSwitch } from "#test/node-switch.ts";
import type { ChainWatch } from "#test/chain-watch.ts";
import { nativeIndex } from "./payments.ts";

const skip = await skipWithoutAnvil();
const { signal } = new AbortController();
const ether = 10n ** 18n;
const elsewhere = "0x00000000000000000000000000000000000000AA";

/** Each output as asset, address, position and units. */
function seenBy(watch: ChainWatch) {
  return watch.outputs.map(({ asset, address, outputIndex, amountUnits }) => [
    asset,
    address,
    outputIndex,
    amountUnits,
  ]);
}

describe("deposits on a real anvil", { skip }, () => {
  test("addresses are those of the private key, in the spelling of EIP-55, for every asset", async () => {
    const { node } = await sharedAnvilChain();
    const chain = openEvm(node.url);
    for (const index of [0, 1, 999]) {
      const { privateKey } = testEvmAccount.deriveChild(0).deriveChild(index);
      assert.ok(privateKey !== null);
      const expected = addr.fromPrivateKey(privateKey);
      for (const asset of ["ETH", "USDC", "USDT"] as const) {
        assert.equal(chain.addressAt(index, asset), expected);
      }
    }
    assert.equal(chain.addressAt(0, "ETH"), "0x9858EfFD232B4033E47d90003D41EC34EcaEda94");
    assert.throws(() => chain.addressAt(0, "BTC"), /ethereum-31337 has no BTC/);
  });

  test("the chain describes itself", async () => {
    const chain = await sharedAnvilChain();
    const opened = openEvm(chain.node.url);
    const { network, addressNetwork, finalDepth, assets } = opened;
    assert.deepEqual([network, addressNetwork, finalDepth], ["ethereum-31337", "test", 112]);
    assert.deepEqual(
      [...assets].map(([asset, { decimals }]) => [asset, decimals]),
      [
        ["ETH", 18],
        ["USDC", 6],
        ["USDT", 6],
      ],
    );
    const { height, behindBlocks, version } = await opened.health(signal);
    assert.deepEqual([height, behindBlocks], [await chain.height(), 0]);
    assert.match(version, /^anvil\//);
  });

  test("another chain id, a contract without code, other code and other decimals are refused", async (t) => {
    const chain = await sharedAnvilChain();
    const other = await startAnvil({ chainId: 5 });
    t.after(() => other.stop());
    const token = (contract: string, codeHash?: string) => ({
      tokens: [{ asset: "USDC" as const, contract, codeHash }],
    });
    const cases = [
      [openEvm(other.url), /on another chain \(id 5\)/],
      [openEvm(chain.node.url, token(elsewhere)), /has no contract at 0x0{38}AA/i],
      [
        openEvm(chain.node.url, token(contracts.Usdc, `0x${"11".repeat(32)}`)),
        /has the code hash 0x/,
      ],
      [openEvm(chain.node.url, token(contracts.Payer)), /eth_call/],
    ] as const;
    for (const [wrong, message] of cases) {
      await assert.rejects(wrong.health(signal), { name: /^SettlementFailed|^Error/, message });
    }
    await assert.rejects(
      openEvm(other.url).scan(undefined, { among: async () => new Set() }, signal),
      {
        message: /on another chain/,
      },
    );
    assert.throws(
      () =>
        openEvm(
          other.url,
          token(contracts.Usdc.replace(/[A-F]/, (letter) => letter.toLowerCase())),
        ),
      /invalid checksum/,
    );
  });

  test("three transfers of one transaction are three outputs, by their position in the receipt", async () => {
    const chain = await sharedAnvilChain();
    const watch = await watchEvm(chain);
    const [one, other] = [watch.issue(), watch.issue()];
    // An earlier transaction moves the log's index in the block, but not its position in the receipt.
    await chain.payTokens(contracts.Usdt, { address: elsewhere, units: 5n });
    const id = await chain.payTokens(
      contracts.Usdc,
      { address: one, units: 1n },
      { address: elsewhere, units: 2n },
      { address: other, units: 3n },
      { address: one, units: 4n },
    );
    await chain.mine();
    await watch.catchUp();
    assert.deepEqual(seenBy(watch), [
      ["USDC", one, 0, 1n],
      ["USDC", other, 2, 3n],
      ["USDC", one, 3, 4n],
    ]);
    assert.ok(watch.outputs.every(({ transactionId }) => transactionId === id));

    // Mined alone, the log has another index in its block.
    const [first = "", raw = ""] = await chain.lastTransactions(1);
    await chain.node.rpc("anvil_reorg", [1, [[first, 0]]]);
    await chain.node.rpc("eth_sendRawTransaction", [raw]);
    await chain.mine();
    await watch.catchUp();
    assert.equal(watch.outputs.length, 3);
    assert.ok(watch.outputs.every(({ isGone, confirmations }) => !isGone && confirmations === 1));
  });

  test("look-alikes, zero transfers and transfers that return false pay nothing, fees are not credited", async () => {
    const chain = await sharedAnvilChain();
    const tokens = [
      { asset: "USDC", contract: contracts.FeeToken },
      { asset: "USDT", contract: contracts.FalseToken },
    ] as const;
    const watch = await watchEvm(chain, { tokens });
    const address = watch.issue();
    await chain.payTokens(contracts.LookAlike, { address, units: 100n });
    await chain.payTokens(contracts.FalseToken, { address, units: 100n });
    await chain.payTokens(contracts.FeeToken, { address, units: 0n });
    await chain.payTokens(contracts.FeeToken, { address, units: 100n });
    await chain.mine();
    await watch.catchUp();
    assert.deepEqual(seenBy(watch), [["USDC", address, 1, 99n]]);
  });

  test("a token without a return value pays, and a transfer that reverts does not", async () => {
    const chain = await sharedAnvilChain();
    const watch = await watchEvm(chain);
    const address = watch.issue();
    await chain.payTokens(contracts.Usdt, { address, units: 2n ** 55n });
    await chain.payTokens(contracts.Usdt, { address, units: 2n ** 200n });
    await chain.mine();
    await watch.catchUp();
    assert.deepEqual(seenBy(watch), [["USDT", address, 0, 2n ** 55n]]);
  });

  test("ether arrives from transactions and contracts as far as it stays", async () => {
    const chain = await sharedAnvilChain();
    const watch = await watchEvm(chain);
    const [direct, twice, reverted, destroyed] = [0, 1, 2, 3].map(() => watch.issue());
    assert.ok(direct !== undefined && twice !== undefined);
    assert.ok(reverted !== undefined && destroyed !== undefined);
    const to = contracts.Payer;
    await chain.send({ to: direct, value: ether });
    const values = [ether, ether];
    const data = abi.payEther.encodeInput({ to: [twice, twice], values });
    await chain.send({ to, value: 2n * ether, data });
    await chain.send({ to, value: ether, data: abi.payAndRevertInside.encodeInput(reverted) });
    await chain.send({ to, value: ether, data: abi.destroyInto.encodeInput(destroyed) });
    await chain.mine();
    await watch.catchUp();
    assert.deepEqual(seenBy(watch), [
      ["ETH", direct, nativeIndex(direct), ether],
      ["ETH", twice, nativeIndex(twice), 2n * ether],
      ["ETH", destroyed, nativeIndex(destroyed), ether],
    ]);
  });

  test("a node without traces reports ether of transactions that succeeded", async (t) => {
    const chain = await sharedAnvilChain();
    const missing = { result: undefined, error: { code: -32_601, message: "Method not found" } };
    const blind = await startNodeSwitch({
      url: chain.node.url,
      change: ({ method }, answer) =>
        method.startsWith("debug_") ? { ...answer, ...missing } : answer,
    });
    t.after(() => blind.stop());
    const watch = await watchEvm(chain, { rpcUrl: blind.url });
    const [direct, internal] = [watch.issue(), watch.issue()];
    await chain.send({ to: direct, value: ether });
    const data = abi.payEther.encodeInput({ to: [internal], values: [ether] });
    await chain.send({ to: contracts.Payer, value: ether, data });
    await chain.mine();
    await watch.catchUp();
    assert.deepEqual(seenBy(watch), [["ETH", direct, nativeIndex(direct), ether]]);
  });

  test("with finality, a payment has its confirmation once its block is final", async () => {
    const chain = await sharedAnvilChain();
    const watch = await watchEvm(chain, { confirmations: "finalized" });
    const id = await chain.payTokens(contracts.Usdc, { address: watch.issue(), units: 7n });
    const confirmed: number[] = [];
    for (let block = 0; block < 10; block += 1) {
      await chain.mine();
      await watch.catchUp();
      confirmed.push(watch.output(id)?.confirmations ?? -1);
    }
    // The finalized block is eight blocks behind the latest.
    assert.deepEqual(confirmed, [0, 0, 0, 0, 0, 0, 0, 0, 1, 2]);
    assert.equal(watch.chain.finalDepth, 101);
  });

  test("a payment in an orphaned block waits in the pool or is gone", async () => {
    const chain = await sharedAnvilChain();
    const watch = await watchEvm(chain);
    const id = await chain.payTokens(contracts.Usdc, { address: watch.issue(), units: 7n });
    await chain.mine();
    await watch.catchUp();
    await chain.reorganise(1);
    await watch.catchUp();
    const { block, confirmations, isGone } = watch.output(id) ?? assert.fail();
    assert.deepEqual([block, confirmations, isGone], [undefined, 0, false]);
    await chain.mine();
    await watch.catchUp();
    assert.equal(watch.output(id)?.confirmations, 1);
    await chain.doubleSpend(id);
    await watch.catchUp();
    assert.equal(watch.output(id)?.isGone, true);
  });

  test("the payer itself is none of ours", async () => {
    const chain = await sharedAnvilChain();
    const watch = await watchEvm(chain);
    await chain.send({ to: evmPayer, value: ether });
    await chain.mine();
    await watch.catchUp();
    assert.deepEqual(watch.outputs, []);
  });
});
