import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createTestCore, register, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { assertInvariantsHold, seedServer } from "#test/rental.ts";
import type { Core } from "#kernel/core.ts";
import { moneyByDay } from "./money-by-day.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

forEachEngine((engine) => {
  let opened: TestCore;
  let core: Core;
  before(async () => {
    opened = await createTestCore(engine);
    ({ core } = opened);
  });
  after(() => opened.dispose());

  const sell = async (priceCents: number) => {
    const { accountId } = await register(core);
    await seedServer(core, accountId, { priceCents });
  };
  const revenue = async (count: number) =>
    (await moneyByDay(core, count)).map(({ day, revenueCents }) => [day, revenueCents]);

  test("entries count on their day in UTC, including its first and last millisecond", async () => {
    // From half past nine on the fifteenth to the last millisecond of the day.
    await sell(100);
    opened.clock.advance(14 * hourMs + 30 * 60_000 - 1);
    await sell(20);
    assert.deepEqual(await revenue(2), [
      ["2026-11-14", 0],
      ["2026-11-15", 120],
    ]);
    opened.clock.advance(1);
    await sell(3);
    assert.deepEqual(await revenue(2), [
      ["2026-11-15", 120],
      ["2026-11-16", 3],
    ]);
    // Another instance whose clock is behind can still add entries to the day, so it is not cached yet.
    opened.clock.advance(-60_000);
    await sell(4_000);
    opened.clock.advance(60_000);
    assert.deepEqual(await revenue(2), [
      ["2026-11-15", 4_120],
      ["2026-11-16", 3],
    ]);
    opened.clock.advance(dayMs + 2 * hourMs);
    await sell(50_000);
    const all = [
      ["2026-11-15", 4_120],
      ["2026-11-16", 3],
      ["2026-11-17", 50_000],
    ];
    assert.deepEqual(await revenue(3), all);
    // Past days come from the cache, and today is summed again.
    assert.deepEqual(await revenue(3), all);
    await sell(1);
    assert.deepEqual(await revenue(3), [...all.slice(0, 2), ["2026-11-17", 50_001]]);
    await assertInvariantsHold(core.db);
  });

  test("days cached while the clock was ahead are summed again after it is corrected", async () => {
    const today = (await revenue(1))[0] ?? assert.fail();
    opened.clock.advance(5 * dayMs);
    await revenue(10);
    opened.clock.advance(-5 * dayMs);
    await sell(7);
    opened.clock.advance(dayMs + 2 * hourMs);
    const [, then] = (await revenue(3)) ?? [];
    assert.deepEqual(then, [today[0], Number(today[1]) + 7]);
  });
});
