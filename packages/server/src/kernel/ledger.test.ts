import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { maxCents } from "@ironlease/contract";
import fc from "fast-check";
import { sql } from "kysely";
import { createTestCore, register, testClient, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { ConstraintViolation } from "#ports/db.ts";
import type { Core } from "./core.ts";
import { ok } from "./result.ts";
import type { JournalType } from "#ports/schema.ts";
import { audit } from "./audit.ts";
import { entryColumns, hashEntry } from "./ledger-entry.ts";
import { move } from "./ledger.ts";
import type { Movement } from "./ledger-posting.ts";

let causes = 0;

forEachEngine((engine) => {
  describe("the ledger", () => {
    let testCore: TestCore;
    before(async () => {
      testCore = await createTestCore(engine);
    });
    after(() => testCore.dispose());

    const moveOnce = (
      accountId: string,
      type: JournalType,
      cents: number,
      {
        cause = `test/${(causes += 1)}`,
        instance: core = testCore.core,
      }: { cause?: string; instance?: Core } = {},
    ) => {
      const movement: Movement = {
        type,
        accountId,
        cents,
        cause,
        description: "test",
        reference: { kind: "test", id: cause },
        asset: "BTC",
      };
      return core.db.write((tx) => move({ tx, core }, movement));
    };
    const balanceOf = (accountId: string) =>
      testCore.core.db.read
        .selectFrom("balances")
        .select(["available_cents as available", "held_cents as held", "entries"])
        .where("account_id", "=", accountId)
        .executeTakeFirstOrThrow();
    const chainOf = async (accountId: string) => {
      const { read } = testCore.core.db;
      const rows = await read
        .selectFrom("journal")
        .select([...entryColumns, "hash"])
        .where("account_id", "=", accountId)
        .orderBy("sequence")
        .execute();
      const balance = await read
        .selectFrom("balances")
        .select(["head_hash as head", "chained_entries as chained", "entries"])
        .where("account_id", "=", accountId)
        .executeTakeFirstOrThrow();
      return { rows, balance };
    };
    const rowsOf = async (table: "journal" | "audit") =>
      testCore.core.db.read.selectFrom(table).selectAll().orderBy("id").execute();

    test("each kind of movement changes spendable and held according to the chart of accounts", async () => {
      const { accountId } = await register(testCore.core);
      const steps: [JournalType, number, number, number][] = [
        ["DEPOSIT", 10_000, 10_000, 0],
        ["ORDER_CHARGE", 1_000, 9_000, 0],
        ["RENEWAL_CHARGE", 1_000, 8_000, 0],
        ["REFUND", 500, 8_500, 0],
        ["WITHDRAWAL_HOLD", 3_000, 5_500, 3_000],
        ["WITHDRAWAL_RELEASE", 1_000, 6_500, 2_000],
        ["WITHDRAWAL_PAYOUT", 2_000, 6_500, 0],
        ["ADJUSTMENT", 500, 7_000, 0],
        ["ADJUSTMENT", -7_000, 0, 0],
      ];
      for (const [index, [type, cents, available, held]] of steps.entries()) {
        assert.ok((await moveOnce(accountId, type, cents)).ok, type);
        assert.deepEqual(
          { ...(await balanceOf(accountId)) },
          { available, held, entries: index + 1 },
          type,
        );
      }
    });

    test("insufficient_balance leaves the balance and the journal unchanged", async () => {
      const { accountId } = await register(testCore.core);
      await moveOnce(accountId, "DEPOSIT", 100);
      const refused: [JournalType, number][] = [
        ["ORDER_CHARGE", 101],
        ["WITHDRAWAL_HOLD", 101],
        ["WITHDRAWAL_RELEASE", 1],
        ["WITHDRAWAL_PAYOUT", 1],
        ["ADJUSTMENT", -101],
      ];
      for (const [type, cents] of refused) {
        const result = await moveOnce(accountId, type, cents);
        assert.equal(!result.ok && result.refusal.code, "insufficient_balance", type);
      }
      assert.deepEqual(
        { ...(await balanceOf(accountId)) },
        { available: 100, held: 0, entries: 1 },
      );
    });

    test("a second movement for the same cause is refused by the database", async () => {
      const { accountId } = await register(testCore.core);
      assert.ok((await moveOnce(accountId, "DEPOSIT", 100, { cause: "deposit/once" })).ok);
      await assert.rejects(
        moveOnce(accountId, "DEPOSIT", 100, { cause: "deposit/once" }),
        (error) => {
          assert.ok(error instanceof ConstraintViolation);
          return error.constraint === "journal_cause_unique";
        },
      );
      assert.equal((await balanceOf(accountId)).available, 100);
    });

    test("rows of the journal and the audit log cannot be changed or deleted", async () => {
      const { accountId } = await register(testCore.core);
      await moveOnce(accountId, "DEPOSIT", 100);
      const { core } = testCore;
      const call = { accountId, client: testClient };
      await core.db.write(async (tx) =>
        ok(await audit({ tx, core, call }, "test.write", accountId)),
      );
      const replacing = {
        // REPLACE also deletes, and on SQLite it would bypass the triggers.
        sqlite: (table: string) => `insert or replace into ${table} select * from ${table} limit 1`,
        postgres: (table: string) => `truncate ${table}`,
      };
      for (const [table, column] of [
        ["journal", "description"],
        ["audit", "detail"],
      ] as const) {
        const before = await rowsOf(table);
        for (const statement of [
          `update ${table} set ${column} = ''`,
          `delete from ${table}`,
          replacing[engine](table),
        ]) {
          await assert.rejects(
            core.db.write(async (tx) => ok(await sql.raw(statement).execute(tx))),
            /append-only/,
            statement,
          );
        }
        assert.deepEqual(await rowsOf(table), before);
      }
      assert.equal((await balanceOf(accountId)).available, 100);
    });

    test("only a missing hash can be added to a row of the journal, once", async () => {
      const { accountId } = await register(testCore.core);
      await moveOnce(accountId, "DEPOSIT", 100);
      const run = (statement: string) =>
        testCore.core.db.write(async (tx) => ok(await sql.raw(statement).execute(tx)));
      await run(`insert into journal select 'led_old', created_at, type, 'test/old', from_account,
        to_account, amount_cents, account_id, 2, change_cents, 200, held_after_cents, description,
        reference_kind, reference_id, null from journal where account_id = '${accountId}'`);
      await assert.rejects(
        run("update journal set hash = 'a', sequence = 3 where id = 'led_old'"),
        /append-only/,
      );
      await run("update journal set hash = 'a' where id = 'led_old'");
      for (const hash of ["'b'", "null"]) {
        await assert.rejects(
          run(`update journal set hash = ${hash} where id = 'led_old'`),
          /append-only/,
        );
      }
    });

    test("a thousand concurrent movements of two instances keep each account's chain", async () => {
      const { core } = testCore;
      const instances = [core, await testCore.reopen()];
      const accounts: string[] = [];
      for (let index = 0; index < 3; index += 1) {
        const { accountId } = await register(core);
        await moveOnce(accountId, "DEPOSIT", 1_000);
        accounts.push(accountId);
      }
      const types = ["DEPOSIT", "ORDER_CHARGE", "WITHDRAWAL_HOLD", "WITHDRAWAL_RELEASE"] as const;
      const results = await Promise.allSettled(
        Array.from({ length: 1_000 }, (_, index) =>
          moveOnce(accounts[index % 3] ?? "", types[index % 4] ?? "DEPOSIT", 1, {
            instance: instances[index % 2] ?? core,
          }),
        ),
      );
      let moved = 0;
      for (const result of results) {
        assert.equal(result.status, "fulfilled");
        if (result.value.ok) moved += 1;
      }
      const chains = await Promise.all(accounts.map(chainOf));
      const entries = chains.map(({ rows }) => rows.length).reduce((sum, count) => sum + count, 0);
      assert.equal(entries, accounts.length + moved);
      for (const { rows, balance } of chains) {
        let previousHash: string | null = null;
        for (const { hash, ...row } of rows) {
          assert.equal(hash, hashEntry({ ...row, previousHash }));
          previousHash = hash;
        }
        assert.deepEqual(
          { ...balance },
          { head: previousHash, chained: rows.length, entries: rows.length },
        );
      }
    });

    test("zero, fractions and amounts out of bounds are bugs and throw", async () => {
      const { accountId } = await register(testCore.core);
      for (const cents of [0, 1.5, Number.NaN, maxCents + 1, Number.MAX_SAFE_INTEGER]) {
        await assert.rejects(moveOnce(accountId, "DEPOSIT", cents), RangeError);
      }
    });

    test("a balance never exceeds its maximum", async () => {
      const { accountId } = await register(testCore.core);
      assert.ok((await moveOnce(accountId, "DEPOSIT", maxCents)).ok);
      assert.ok(!(await moveOnce(accountId, "DEPOSIT", 1)).ok);
    });

    test("after any sequence of movements the balance is their sum", async () => {
      const sides: Record<string, [number, number]> = {
        DEPOSIT: [1, 0],
        ORDER_CHARGE: [-1, 0],
        WITHDRAWAL_HOLD: [-1, 1],
        WITHDRAWAL_RELEASE: [1, -1],
        WITHDRAWAL_PAYOUT: [0, -1],
      };
      const step = fc.tuple(
        fc.constantFrom(...Object.keys(sides)),
        fc.integer({ min: 1, max: 1_000 }),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
          const { accountId } = await register(testCore.core);
          let [available, held] = [0, 0];
          for (const [type, cents] of steps) {
            const [onAvailable = 0, onHeld = 0] = sides[type] ?? [];
            const fits = available + onAvailable * cents >= 0 && held + onHeld * cents >= 0;
            const result = await moveOnce(accountId, type as JournalType, cents);
            assert.equal(result.ok, fits);
            if (fits) [available, held] = [available + onAvailable * cents, held + onHeld * cents];
          }
          const balance = await balanceOf(accountId);
          assert.deepEqual([balance.available, balance.held], [available, held]);
        }),
        { numRuns: 20 },
      );
    });
  });
});
