import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "kysely";
import { createTestCore, register, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { adjust } from "#test/rental-service.ts";
import { ok } from "#server/kernel/result.ts";
import { checkChains } from "#server/features/verification/chain-invariant.ts";
import { chainHistory } from "#server/features/ledger/chain-history.ts";
import { readLedger } from "#server/features/ledger/read-ledger.ts";

forEachEngine((engine) => {
  describe("chaining what earlier versions have written", () => {
    let opened: TestCore;
    before(async () => {
      opened = await createTestCore(engine);
    });
    after(() => opened.dispose());

    /** An account with entries of a version that knows no hashes. */
    const oldAccount = async (entries: number) => {
      const { core } = opened;
      const { accountId } = await register(core);
      await core.db.write(async (tx) => {
        await sql`with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ${entries})
          insert into journal select 'led_' || ${accountId} || n, n, 'ADJUSTMENT', 'old/' || ${accountId} || n,
            'house/adjustments', 'customer/' || ${accountId} || '/spendable', 1, ${accountId}, n, 1, n, 0,
            'old', 'adjustment', 'adj', null from numbers`.execute(tx);
        await sql`update balances set available_cents = ${entries}, entries = ${entries}
          where account_id = ${accountId}`.execute(tx);
        return ok();
      });
      return accountId;
    };
    const chainOf = (accountId: string) =>
      opened.core.db.read
        .selectFrom("balances")
        .select(["entries", "chained_entries as chained"])
        .where("account_id", "=", accountId)
        .executeTakeFirstOrThrow();

    test("two instances chain old entries in steps while money moves", async () => {
      const { core } = opened;
      const accounts = [await oldAccount(450), await oldAccount(1), await oldAccount(200)];
      const [first = ""] = accounts;
      await adjust(core, first, 10);
      const [newest] = (await readLedger(core, first)).entries;
      assert.deepEqual([newest?.hash, newest?.previousHash], [null, null]);
      await Promise.all([
        chainHistory(core),
        chainHistory(core),
        ...Array.from({ length: 20 }, () => adjust(core, first, 10)),
      ]);
      await chainHistory(core);
      for (const accountId of accounts) {
        const { entries, chained } = await chainOf(accountId);
        assert.equal(chained, entries);
      }
      const { offenders, count } = await checkChains(core.db);
      assert.deepEqual(offenders, []);
      assert.equal(count, 450 + 21 + 1 + 200);
      const page = (await readLedger(core, first)).entries;
      assert.ok(
        page.every(
          (entry, index) =>
            entry.previousHash !== null &&
            (page[index + 1]?.hash ?? entry.previousHash) === entry.previousHash,
        ),
      );
    });

    test("a stopped run continues where it was, and a chained ledger takes no step", async () => {
      const { core } = opened;
      const accountId = await oldAccount(450);
      const stop = new AbortController();
      const stopping = { ...core, pacer: () => async () => stop.abort() };
      assert.deepEqual(await chainHistory(stopping, stop.signal), { steps: 1 });
      assert.equal((await chainOf(accountId)).chained, 200);
      assert.deepEqual((await checkChains(core.db)).offenders, []);
      assert.deepEqual(await chainHistory(core), { steps: 2 });
      assert.deepEqual(await chainHistory(core), { steps: 0 });
      assert.deepEqual((await checkChains(core.db)).offenders, []);
    });

    test("a run ends although entries are missing", async () => {
      const { core } = opened;
      const accountId = await oldAccount(3);
      await core.db.write(async (tx) =>
        ok(await sql`update balances set entries = 4 where account_id = ${accountId}`.execute(tx)),
      );
      assert.deepEqual(await chainHistory(core), { steps: 2 });
      assert.deepEqual({ ...(await chainOf(accountId)) }, { entries: 4, chained: 3 });
    });
  });
});
