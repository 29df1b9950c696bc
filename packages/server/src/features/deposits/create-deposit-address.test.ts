import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { register, testClient, type TestCore } from "#test/core.ts";
import {
  addressFor,
  requestAddress,
  createDepositCore,
  scriptedSettlement,
  simulatedOf,
  withChains,
} from "#test/deposits.ts";
import { forEachEngine } from "#test/engines.ts";
import { codeOf, freshKey, valueOf } from "#test/use-cases.ts";
import type { Core } from "#kernel/core.ts";
import { SettlementFailed, SettlementUnavailable, type Chain } from "#ports/settlement.ts";

forEachEngine((engine) => {
  let opened: TestCore;
  let core: Core;

  before(async () => {
    opened = await createDepositCore(engine);
    ({ core } = opened);
  });
  after(() => opened.dispose());

  const withNode = (overrides: Partial<Chain>): Core => ({
    ...core,
    settlement: withChains(simulatedOf(core), () => overrides),
  });
  /** Fails the test when it is called. */
  const untouchable = () =>
    withNode({ health: () => Promise.reject(new Error("the node was called")) });

  test("the answer is 201 with exactly the described fields, and is audited", async () => {
    const { accountId } = await register(core);
    const answer = await valueOf(requestAddress(core, accountId, freshKey(), "USDC"));
    const { address } = answer.body;
    const body = { address, asset: "USDC", network: "ethereum" };
    assert.deepEqual(answer, {
      status: 201,
      body: { ...body, confirmationsRequired: 12, mode: "SIMULATED" },
      replayed: false,
    });
    const audits = await core.db.read
      .selectFrom("audit")
      .select(["action", "detail", "ip_address"])
      .where("actor", "=", accountId)
      .execute();
    assert.deepEqual(
      audits.map(({ detail, ...row }) => ({ ...row, detail: JSON.parse(detail) as object })),
      [
        {
          action: "deposit_address.create",
          ip_address: testClient.ipAddress,
          detail: { asset: "USDC", network: "ethereum", mode: "SIMULATED", address },
        },
      ],
    );
  });

  test("every key has its own address", async () => {
    const { accountId } = await register(core);
    assert.notEqual(await addressFor(core, accountId), await addressFor(core, accountId));
  });

  test("without a provider, or for an unsupported asset, the answer is settlement_unavailable", async () => {
    const { accountId } = await register(core);
    const key = freshKey();
    const none = { ...core, settlement: undefined };
    assert.equal(await codeOf(requestAddress(none, accountId, key)), "settlement_unavailable");
    const others = { ...core, settlement: scriptedSettlement() };
    assert.equal(await codeOf(requestAddress(others, accountId, key)), "settlement_unavailable");
    assert.equal((await rowsOf(core, accountId)).length, 0);
    assert.equal(await codeOf(requestAddress(core, accountId, key)), "ok");
  });

  test("a replay returns the first answer without calling the provider", async () => {
    const { accountId } = await register(core);
    const key = freshKey();
    const first = await valueOf(requestAddress(core, accountId, key));
    const gone = { ...core, settlement: undefined };
    for (const on of [core, untouchable(), gone]) {
      assert.deepEqual(await valueOf(requestAddress(on, accountId, key)), {
        ...first,
        replayed: true,
      });
    }
  });

  test("a used key with another asset is a conflict, whatever the provider says", async () => {
    const { accountId } = await register(core);
    const key = freshKey();
    await valueOf(requestAddress(core, accountId, key));
    const gone = { ...core, settlement: undefined };
    for (const on of [core, untouchable(), gone]) {
      assert.equal(await codeOf(requestAddress(on, accountId, key, "LTC")), "idempotency_conflict");
    }
    assert.equal((await rowsOf(core, accountId)).length, 1);
  });

  test("a key belongs to its account", async () => {
    const [ada, ben] = [await register(core), await register(core)];
    const key = freshKey();
    const first = await valueOf(requestAddress(core, ada.accountId, key));
    const second = await valueOf(requestAddress(core, ben.accountId, key, "LTC"));
    assert.equal(second.replayed, false);
    assert.notEqual(first.body.address, second.body.address);
  });

  describe("when the provider fails", () => {
    const failures = [
      ["settlement_failed", new SettlementFailed("it answered badly")],
      ["settlement_unavailable", new SettlementUnavailable("it did not answer")],
    ] as const;
    for (const [code, failure] of failures) {
      test(`${code} leaves the key free, for the same asset and for another`, async () => {
        const { accountId } = await register(core);
        const [same, another] = [freshKey(), freshKey()];
        for (const key of [same, another]) {
          for (const call of ["health", "prepareAddress"] as const) {
            simulatedOf(core).failNext(call, failure);
            assert.equal(await codeOf(requestAddress(core, accountId, key)), code);
          }
        }
        assert.equal((await valueOf(requestAddress(core, accountId, same))).body.asset, "BTC");
        assert.equal(
          (await valueOf(requestAddress(core, accountId, another, "LTC"))).body.asset,
          "LTC",
        );
        assert.equal(
          await codeOf(requestAddress(core, accountId, another)),
          "idempotency_conflict",
        );
      });
    }

    test("a provider that hangs is settlement_unavailable, and its call is aborted", async () => {
      const { accountId } = await register(core);
      const key = freshKey();
      let told: AbortSignal | undefined;
      const hanging = withNode({
        answerMs: 1,
        health: (signal) => {
          told = signal;
          return new Promise(() => {});
        },
      });
      const refused = requestAddress(hanging, accountId, key);
      assert.equal(await codeOf(refused), "settlement_unavailable");
      assert.equal(told?.aborted, true);
      assert.equal(await codeOf(requestAddress(core, accountId, key)), "ok");
    });

    test("an invalid address, or one that is already assigned, is settlement_failed", async () => {
      const { accountId } = await register(core);
      const taken = await addressFor(core, accountId);
      const key = freshKey();
      for (const address of ["", "two words", "x".repeat(201), "é", taken]) {
        const bad = withNode({ addressAt: () => address });
        assert.equal(await codeOf(requestAddress(bad, accountId, key)), "settlement_failed");
      }
      assert.equal(await codeOf(requestAddress(core, accountId, key)), "ok");
    });
  });
});

async function rowsOf({ db }: Core, accountId: string) {
  const rows = await db.read
    .selectFrom("deposit_addresses")
    .select("address")
    .where("account_id", "=", accountId)
    .execute();
  return rows.map(({ address }) => address);
}
