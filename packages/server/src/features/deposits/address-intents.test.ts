import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { limits } from "@ironlease/contract";
import { register, type TestCore } from "#test/core.ts";
import { requestAddress, createDepositCore, simulatedOf, withChains } from "#test/deposits.ts";
import { forEachEngine } from "#test/engines.ts";
import { codeOf, freshKey, valueOf } from "#test/use-cases.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import { SettlementFailed, type Chain } from "#ports/settlement.ts";

forEachEngine((engine) => {
  let opened: TestCore;
  let core: Core;

  before(async () => {
    opened = await createDepositCore(engine);
    ({ core } = opened);
  });
  after(() => opened.dispose());

  const withNode = (override: (chain: Chain) => Partial<Chain>): Core => ({
    ...core,
    settlement: withChains(simulatedOf(core), override),
  });

  test("a crash between the call and the answer neither loses nor duplicates an address", async () => {
    const { accountId } = await register(core);
    const key = freshKey();
    const prepared: string[] = [];
    const crashing = withNode((chain) => ({
      prepareAddress: async (index) => {
        prepared.push(chain.addressAt(index, "BTC"));
        throw new Error("the process ended here");
      },
    }));
    await assert.rejects(requestAddress(crashing, accountId, key), /ended here/);
    await assert.rejects(requestAddress(crashing, accountId, key), /ended here/);
    const another = await opened.reopen();
    const { body, replayed } = await valueOf(requestAddress(another, accountId, key));
    assert.equal(replayed, false);
    assert.deepEqual(prepared, [body.address, body.address]);
    assert.deepEqual(await rowsOf(core, accountId), [body.address]);
  });

  test("200 concurrent requests with one key: one address, one answer, one audit row", async () => {
    const { accountId } = await register(core);
    const another = await opened.reopen();
    const key = freshKey();
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        valueOf(requestAddress(index % 2 === 0 ? core : another, accountId, key)),
      ),
    );
    assert.equal(new Set(answers.map(({ body }) => body.address)).size, 1);
    assert.equal(answers.filter(({ replayed }) => !replayed).length, 1);
    assert.equal((await rowsOf(core, accountId)).length, 1);
    const audits = core.db.read.selectFrom("audit").select("id").where("actor", "=", accountId);
    assert.equal((await audits.execute()).length, 1);
  });

  test("one key for two assets at once: one gets its address, the other a conflict", async () => {
    const { accountId } = await register(core);
    for (let round = 0; round < 10; round += 1) {
      const key = freshKey();
      const asked = [
        requestAddress(core, accountId, key),
        requestAddress(core, accountId, key, "LTC"),
      ];
      const codes = await Promise.all(asked.map(codeOf));
      assert.deepEqual(codes.toSorted(), ["idempotency_conflict", "ok"]);
    }
  });

  test("many concurrent keys of one account all get their address without blocking each other", async () => {
    const { accountId } = await register(core);
    const keys = Array.from({ length: 40 }, freshKey);
    const answers = await Promise.all(
      keys.map((key) => valueOf(requestAddress(core, accountId, key))),
    );
    assert.equal(new Set(answers.map(({ body }) => body.address)).size, keys.length);
  });

  test("limit_reached at the account's maximum, even for concurrent requests", async () => {
    const { accountId } = await register(core);
    await addIntents(core, accountId, limits.depositAddressesPerAccount - 2, "handed-out");
    const key = freshKey();
    const first = await valueOf(requestAddress(core, accountId, key));
    const codes = await Promise.all(
      Array.from({ length: 5 }, () => codeOf(requestAddress(core, accountId, freshKey()))),
    );
    assert.deepEqual(codes.toSorted(), [...Array<string>(4).fill("limit_reached"), "ok"]);
    assert.deepEqual(await valueOf(requestAddress(core, accountId, key)), {
      ...first,
      replayed: true,
    });
  });

  test("outages leave a bounded number of intents, and never block the account", async () => {
    const { accountId } = await register(core);
    const limit = limits.depositAddressesPerAccount;
    await addIntents(core, accountId, limit);
    simulatedOf(core).failNext("prepareAddress", new SettlementFailed("still down"));
    assert.equal(await codeOf(requestAddress(core, accountId, freshKey())), "settlement_failed");
    assert.equal((await rowsOf(core, accountId)).length, limit);
    assert.equal(await codeOf(requestAddress(core, accountId, freshKey())), "ok");
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

/** Rows as an outage or an issued address leaves them. */
async function addIntents(
  core: Core,
  accountId: string,
  count: number,
  kind: "unanswered" | "handed-out" = "unanswered",
): Promise<void> {
  await core.db.write(async (tx) => {
    for (let index = 0; index < count; index += 1) {
      const id = core.ids.next("depositAddress");
      await tx
        .insertInto("deposit_addresses")
        .values({
          id,
          account_id: accountId,
          intent_key: id,
          asset: "BTC",
          network: "bitcoin",
          mode: "SIMULATED",
          address: kind === "handed-out" ? `sim-btc-${id}` : null,
          confirmations_required: 2,
          created_at: core.clock.now() - 1_000 + index,
        })
        .execute();
    }
    return ok();
  });
}
