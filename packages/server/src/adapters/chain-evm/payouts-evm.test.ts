import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { addr } from "micro-eth-signer";
import { abi, contracts, sharedAnvilChain } from "#test/anvil-chain.ts";
import { skipWithoutAnvil } from "#test/anvil.ts";
import { payingAddress as from, signEvm, tamperedEvm } from "#test/evm-signer.ts";
import { openEvm } from "#test/evm-watch.ts";
import { valueOf } from "#test/use-cases.ts";
import type { Refusal, Result } from "#ports/result.ts";
import type { PayoutOrder, Payouts, SentPayout } from "#ports/payouts.ts";

const skip = await skipWithoutAnvil();
const { signal } = new AbortController();
const ether = 10n ** 18n;

/** The payouts of a chain whose paying address has ether and tokens. */
async function funded() {
  const chain = await sharedAnvilChain();
  await chain.node.rpc("anvil_setBalance", [from, `0x${ether.toString(16)}`]);
  for (const token of [contracts.Usdc, contracts.Usdt]) {
    await chain.payTokens(token, { address: from, units: 1_000_000n });
  }
  await chain.mine();
  const { payouts } = openEvm(chain.node.url);
  assert.ok(payouts !== undefined);
  return { chain, payouts };
}

function walletWithout(...taken: readonly string[]) {
  return { taken: new Set(taken), others: [], coins: [], changeIndex: 0 };
}

function orderOf(
  asset: PayoutOrder["asset"],
  amountUnits: bigint,
  destination = addr.random().address,
) {
  return { asset, outputs: [{ destination, amountUnits }] } satisfies PayoutOrder;
}

async function refusalOf(pending: Promise<Result<unknown>>): Promise<Refusal> {
  const result = await pending;
  assert.ok(!result.ok);
  return result.refusal;
}

async function prepareAndSign(payouts: Payouts, order: PayoutOrder, ...taken: readonly string[]) {
  const prepared = await valueOf(payouts.prepare(order, walletWithout(...taken), signal));
  const { transactionId, raw } = await valueOf(
    payouts.accept(prepared, signEvm(prepared.unsigned), order, signal),
  );
  const sent: SentPayout = {
    transactionId,
    raw,
    pins: prepared.pins,
    block: undefined,
    searchedHeight: undefined,
  };
  return { prepared, sent };
}

describe("payouts on a real anvil", { skip }, () => {
  for (const asset of ["ETH", "USDC", "USDT"] as const) {
    test(`a prepared payout of ${asset} is signed elsewhere, sent and mined`, async () => {
      const { chain, payouts } = await funded();
      const order = orderOf(asset, 1_000n);
      const { prepared, sent } = await prepareAndSign(payouts, order);
      assert.equal(prepared.from, from);
      assert.equal(prepared.feeAsset, "ETH");
      assert.equal(await payouts.rehearse(sent.raw, signal), undefined);
      const pending = await payouts.fate(sent, signal);
      assert.deepEqual([pending.kind, "isKnown" in pending && pending.isKnown], ["PENDING", false]);
      assert.deepEqual(
        [await payouts.broadcast(sent.raw, signal), await payouts.broadcast(sent.raw, signal)],
        ["SENT", "KNOWN"],
      );
      await chain.mine(2);
      assert.equal(await payouts.broadcast(sent.raw, signal), "KNOWN");
      const fate = await payouts.fate(sent, signal);
      assert.ok(fate.kind === "MINED");
      assert.equal(fate.confirmations, 2);
      assert.ok(fate.feeUnits !== undefined);
      assert.ok(fate.feeUnits > 0n && fate.feeUnits <= prepared.feeUnits);

      const [output] = order.outputs;
      assert.ok(output !== undefined);
      const verify = (changes: object) =>
        payouts.verify(sent.transactionId, { asset, ...output, ...changes }, signal);
      assert.equal((await verify({})).kind, "PAID");
      assert.equal((await verify({ amountUnits: 1_001n })).kind, "NOT_PAID");
      assert.equal((await verify({ destination: from })).kind, "NOT_PAID");
      assert.equal((await verify({ asset: asset === "ETH" ? "USDC" : "ETH" })).kind, "NOT_PAID");
      const { units } = await payouts.balances({ coins: [] }, signal);
      assert.deepEqual([...units.keys()], ["ETH", "USDC", "USDT"]);
    });
  }

  test("two payouts have different nonces, and a freed one is used again", async () => {
    const { payouts } = await funded();
    const order = orderOf("USDC", 1n);
    const first = await valueOf(payouts.prepare(order, walletWithout(), signal));
    const second = await valueOf(payouts.prepare(order, walletWithout(...first.pins), signal));
    const again = await valueOf(payouts.prepare(order, walletWithout(...second.pins), signal));
    assert.notDeepEqual(first.pins, second.pins);
    assert.deepEqual(again.pins, first.pins);
    assert.match(first.pins.join(), /^1\/0:\d+$/);
  });

  test("a signed transaction that differs in anything but its signature is refused", async () => {
    const { payouts } = await funded();
    const order = orderOf("ETH", 5n);
    const prepared = await valueOf(payouts.prepare(order, walletWithout(), signal));
    const tampered = tamperedEvm(prepared.unsigned, addr.random().address);
    for (const [what, signed] of Object.entries(tampered)) {
      const refusal = await refusalOf(payouts.accept(prepared, signed, order, signal));
      assert.deepEqual(
        refusal.fields?.map(({ field }) => field),
        ["signed"],
        what,
      );
    }
  });

  test("too few coins, a blocked destination and a token that refuses are conflicts that say why", async () => {
    const { chain, payouts } = await funded();
    const blocked = addr.random().address;
    const data = abi.setBlocked.encodeInput({ to: blocked, isBlocked: true });
    await chain.send({ to: contracts.Usdc, data });
    await chain.mine();
    const refusing = openEvm(chain.node.url, {
      tokens: [{ asset: "USDC", contract: contracts.FalseToken }],
    });
    assert.ok(refusing.payouts !== undefined);
    const reasonOf = async (on: Payouts, order: PayoutOrder) => {
      const { code, message } = await refusalOf(on.prepare(order, walletWithout(), signal));
      return `${code}: ${message}`;
    };
    assert.match(
      await reasonOf(payouts, orderOf("ETH", 2n * ether)),
      /^conflict: ethereum-31337 lacks 1\.\d{18} ETH at 0x/,
    );
    assert.match(
      await reasonOf(payouts, orderOf("USDT", 10n ** 12n)),
      /lacks \d+\.\d{6} USDT at 0x/,
    );
    assert.match(await reasonOf(payouts, orderOf("USDC", 1n, blocked)), /would fail: .*blocked/);
    assert.match(await reasonOf(refusing.payouts, orderOf("USDC", 0n)), /refuses the transfer/);
  });

  test("a payout that reverts when it is mined has failed, and cost gas", async () => {
    const { chain, payouts } = await funded();
    const order = orderOf("USDC", 5n);
    const { sent } = await prepareAndSign(payouts, order);
    await payouts.broadcast(sent.raw, signal);
    const [output] = order.outputs;
    const data = abi.setBlocked.encodeInput({ to: output?.destination ?? "", isBlocked: true });
    await chain.send({
      to: contracts.Usdc,
      data,
      maxFeePerGas: 10n ** 12n,
      maxPriorityFeePerGas: 10n ** 11n,
    });
    await chain.mine();
    const fate = await payouts.fate(sent, signal);
    assert.ok(fate.kind === "FAILED");
    assert.match(fate.evidence, /reverted/);
    assert.ok(fate.feeUnits !== undefined && fate.feeUnits > 0n);
    assert.ok(output !== undefined);
    const evidence = await payouts.verify(sent.transactionId, { asset: "USDC", ...output }, signal);
    assert.deepEqual(evidence, { kind: "NOT_PAID", reason: "The transaction was reverted." });
  });

  test("a replacement keeps the nonce and pays more, and only one of the two is mined", async () => {
    const { chain, payouts } = await funded();
    const order = orderOf("ETH", 5n);
    const first = await prepareAndSign(payouts, order);
    await payouts.broadcast(first.sent.raw, signal);
    const second = await prepareAndSign(payouts, { ...order, replaces: first.prepared });
    assert.deepEqual(second.prepared.pins, first.prepared.pins);
    assert.ok(second.prepared.feeUnits > first.prepared.feeUnits);
    assert.equal(await payouts.broadcast(second.sent.raw, signal), "SENT");
    await chain.mine(3);
    assert.equal((await payouts.fate(second.sent, signal)).kind, "MINED");
    const fate = await payouts.fate(first.sent, signal);
    assert.ok(fate.kind === "FAILED");
    assert.match(fate.evidence, new RegExp(`${second.sent.transactionId} used the nonce \\d+`));
    assert.equal(fate.confirmations, 3);
    const again = await payouts.broadcast(first.sent.raw, signal);
    assert.ok(typeof again === "object");
    assert.match(String(await payouts.rehearse(first.sent.raw, signal)), /is used already/);
  });

  test("an unknown transaction is unknown, and text that is no id pays nothing", async () => {
    const { payouts } = await funded();
    const payment = { asset: "ETH", amountUnits: 1n, destination: from } as const;
    const verify = async (id: string) => (await payouts.verify(id, payment, signal)).kind;
    assert.equal(await verify(`0x${"11".repeat(32)}`), "UNKNOWN");
    assert.equal(await verify("deadbeef"), "NOT_PAID");
  });
});
