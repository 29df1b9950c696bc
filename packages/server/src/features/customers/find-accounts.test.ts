import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, register, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { releaseAddressesOf, seedServer, type SeededServer } from "#test/rental.ts";
import type { Core } from "#kernel/core.ts";
import type { Tx } from "#ports/db.ts";
import { ok } from "#kernel/result.ts";
import { findAccounts } from "./find-accounts.ts";

forEachEngine((engine) => {
  describe("finding accounts", () => {
    let testCore: TestCore;
    let core: Core;
    let ada: string;
    let bob: string;
    let server: SeededServer;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
      ada = await named("ada_lovelace");
      bob = await named("bob-a");
      await named("adaxlovelace");
      server = await seedServer(core, ada);
      await seedServer(core, bob);
    });
    after(() => testCore.dispose());

    const write = (work: (tx: Tx) => Promise<unknown>) =>
      core.db.write(async (tx) => {
        await work(tx);
        return ok();
      });
    const named = async (username: string) => {
      const { accountId } = await register(core);
      await write((tx) =>
        tx.updateTable("accounts").set({ username }).where("id", "=", accountId).execute(),
      );
      return accountId;
    };
    const find = async (query: string, after?: string) => {
      const page = after === undefined ? {} : { after };
      return (await findAccounts(core, { query, ...page })).map(({ id }) => id);
    };
    const namesFor = async (query: string) =>
      (await findAccounts(core, { query })).map(({ username }) => username).toSorted();

    test("part of a username finds every match regardless of case, and no character is a wildcard", async () => {
      assert.deepEqual(await namesFor("LOVE"), ["ada_lovelace", "adaxlovelace"]);
      assert.deepEqual(await namesFor("a_l"), ["ada_lovelace"]);
      assert.deepEqual(await namesFor(" bob-a "), ["bob-a"]);
      assert.deepEqual(await namesFor("-"), ["bob-a"]);
      for (const nothing of ["%", "ada%", "\\", "' or 1=1 --", "nobody", "ada lovelace"]) {
        assert.deepEqual(await namesFor(nothing), [], nothing);
      }
    });

    test("each id of an account finds that account only", async () => {
      const work = await core.db.read
        .selectFrom("work")
        .select("id")
        .where("account_id", "=", ada)
        .executeTakeFirstOrThrow();
      const entry = await core.db.read
        .selectFrom("journal")
        .select("id")
        .where("account_id", "=", ada)
        .executeTakeFirstOrThrow();
      const ids = [ada, server.id, server.orderId, work.id, entry.id, server.assignmentIds[0]!];
      for (const id of ids) assert.deepEqual(await find(id), [ada], id);
      assert.deepEqual(await find(core.ids.next("server")), []);
      assert.deepEqual(await find(core.ids.next("account")), []);
    });

    test("an action, a deposit address, a deposit, a withdrawal and their transactions find the account", async () => {
      const [action, addressId, deposit, withdrawal] = [
        ...(["action", "depositAddress", "deposit", "withdrawal"] as const),
      ].map((kind) => core.ids.next(kind));
      const paid = { asset: "BTC", network: "bitcoin", mode: "LIVE", created_at: 0 };
      const { created_at: seen_at, ...kind } = paid;
      await write(async (tx) => {
        const own = { account_id: bob };
        await tx
          .insertInto("actions")
          .values({ id: action!, ...own, server_id: server.id, action: "reboot", created_at: 0 })
          .execute();
        await tx
          .insertInto("deposit_addresses")
          .values({
            id: addressId!,
            ...own,
            intent_key: "k",
            ...paid,
            address: "bc1qBob",
            confirmations_required: 2,
          })
          .execute();
        await tx
          .insertInto("deposits")
          .values({
            id: deposit!,
            ...own,
            address_id: addressId!,
            ...kind,
            address: "bc1qBob",
            transaction_id: "f".repeat(64),
            output_index: 0,
            amount_units: "1",
            amount_decimals: 8,
            confirmations: 0,
            confirmations_required: 2,
            state: "CONFIRMING",
            seen_at,
          })
          .execute();
        await tx
          .insertInto("withdrawals")
          .values({
            id: withdrawal!,
            ...own,
            asset: "BTC",
            destination: "bc1qelse",
            cents: 100,
            status: "PAID",
            transaction_id: "e".repeat(64),
            created_at: 0,
          })
          .execute();
      });
      const texts = [action, addressId, deposit, withdrawal, "bc1qBob"];
      for (const text of [...texts, "f".repeat(64), "e".repeat(64)]) {
        assert.deepEqual(await find(text!), [bob], text!);
      }
      assert.deepEqual(await find("bc1qelse"), [], "a destination is not the account's own");
    });

    test("an address finds its current account, as does any address of its prefix, until it is released", async () => {
      const rows = await core.db.read
        .selectFrom("assignments")
        .select(["address", "family"])
        .where("server_id", "=", server.id)
        .execute();
      const addressOf = (family: number) =>
        rows.find((row) => row.family === family)?.address ?? assert.fail();
      const within = addressOf(6).replace(/::$/, "::dead:beef:0:1");
      const spelled = [addressOf(4), `::ffff:${addressOf(4)}`, addressOf(6), within];
      for (const address of [...spelled, within.toUpperCase(), `${addressOf(6)}/64`]) {
        assert.deepEqual(await find(address), [ada], address);
      }
      assert.deepEqual(await find("203.0.113.250"), []);
      await releaseAddressesOf(core, server);
      for (const address of spelled) assert.deepEqual(await find(address), [], address);
    });

    test("a page has 100 accounts, and the next page starts after the last of them", async () => {
      for (let n = 0; n < 105; n += 1) await register(core);
      const all = await find("");
      assert.equal(all.length, 100);
      const rest = await find("", all[99]);
      assert.equal(rest.length, 8);
      const ids = [...all, ...rest];
      assert.deepEqual(ids, ids.toSorted());
      const users = await find("user");
      assert.equal(users.length, 100);
      assert.equal((await find("user", users[99])).length, 5);
    });

    test("a summary has the balance, the held amount and whether the account is frozen", async () => {
      const [summary] = await findAccounts(core, { query: ada });
      assert.deepEqual(
        { ...summary },
        {
          id: ada,
          username: "ada_lovelace",
          balanceCents: 0,
          heldCents: 0,
          createdAt: core.clock.now(),
          closedAt: null,
          frozenAt: null,
        },
      );
    });
  });
});
