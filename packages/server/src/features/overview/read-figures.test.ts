import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { machineStates, serverStates } from "@ironlease/contract";
import { sql } from "kysely";
import { createTestCore, register, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { adjust } from "#test/rental-service.ts";
import { assertInvariantsHold, seedMachine, seedServer } from "#test/rental.ts";
import { setKeepOut } from "#kernel/inventory.ts";
import { sumCustomerFunds } from "./customer-funds.ts";
import { readFigures } from "./read-figures.ts";

forEachEngine((engine) => {
  let opened: TestCore;
  before(async () => {
    opened = await createTestCore(engine);
  });
  after(() => opened.dispose());

  test("the counts of machines and servers are those of their rows, without machines kept out of sale", async () => {
    const { core } = opened;
    const empty = await readFigures(core);
    assert.ok([...empty.machines, ...empty.servers].every(({ count }) => count === 0));

    const { accountId } = await register(core);
    for (const [index, state] of serverStates.entries()) {
      for (let some = 0; some <= index; some += 1) await seedServer(core, accountId, { state });
    }
    for (const state of ["FREE", "FREE", "FREE", "DIRTY", "RETIRED"] as const) {
      await seedMachine(core, { state, configId: `metal-${state.toLowerCase()}` });
    }
    const keptOut = await seedMachine(core);
    const kept = await core.db.write((tx) => setKeepOut(tx, keptOut, "FREE", "A test"));
    assert.ok(kept.ok);
    const keptInUse = await seedServer(core, accountId);
    await core.db.write((tx) => setKeepOut(tx, keptInUse.machineId, "ASSIGNED", "A test"));

    const counted = async (table: "machines" | "servers") => {
      const rows = await core.db.read
        .selectFrom(table)
        .select(({ fn }) => ["state", fn.countAll<number>().as("count")])
        .groupBy("state")
        .execute();
      return new Map<string, number>(rows.map(({ state, count }) => [state, count]));
    };
    const [machines, servers] = [await counted("machines"), await counted("servers")];
    const figures = await readFigures(core);
    assert.deepEqual(
      figures.servers,
      serverStates.map((state) => ({ state, count: servers.get(state) ?? 0 })),
    );
    assert.deepEqual(
      figures.machines,
      machineStates.map((state) => ({
        state,
        count: (machines.get(state) ?? 0) - (state === "FREE" ? 1 : 0),
      })),
    );
    const byOffer = await core.db.read
      .selectFrom("machines")
      .select(["config_id as configId", "region_id as regionId"])
      .select(
        sql<string>`case when state = 'FREE' and keep_out_reason is not null then 'KEPT_OUT'
          else state end`.as("state"),
      )
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .groupBy([sql`1`, sql`2`, sql`3`])
      .execute();
    const offered = figures.offers.flatMap(({ configId, regionId, machines }) =>
      Object.entries(machines)
        .filter(([, count]) => count !== 0)
        .map(([state, count]) => ({ configId, regionId, state, count })),
    );
    const sorted = (rows: readonly unknown[]) => rows.map((row) => JSON.stringify(row)).toSorted();
    assert.deepEqual(sorted(offered), sorted(byOffer));
    assert.ok(offered.some(({ state }) => state === "KEPT_OUT"));
    await assertInvariantsHold(core.db);
  });

  test("the funds are summed once a minute and say when, so that their cost does not depend on readers", async () => {
    const { core, clock } = opened;
    const funds = async () => {
      const { availableCents, heldCents, fundsAt } = await readFigures(core);
      return { availableCents, heldCents, fundsAt };
    };
    clock.advance(60_000);
    const first = await funds();
    assert.equal(first.fundsAt, clock.now());
    const { accountId } = await register(core);
    await adjust(core, accountId, 700);
    clock.advance(59_999);
    assert.deepEqual(await funds(), first);
    clock.advance(1);
    const second = { ...first, availableCents: first.availableCents + 700, fundsAt: clock.now() };
    assert.deepEqual(await funds(), second);
    await adjust(core, accountId, 5);
    await sumCustomerFunds(core);
    const third = { ...second, availableCents: second.availableCents + 5 };
    assert.deepEqual(await funds(), third);
    clock.advance(-3_600_000);
    assert.deepEqual(await funds(), { ...third, fundsAt: clock.now() });
  });
});
