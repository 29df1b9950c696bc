import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import { burst } from "./burst.ts";
import { databaseAway } from "./database-away.ts";
import { losses } from "./losses.ts";
import { startPlace, type Place } from "./place.ts";
import { measureMaximum, sustain } from "./sustained.ts";

const skip = process.platform === "linux" ? false : "only Linux tells which connections are held";
const say = () => {};

// The short form of `npm run load`: no speed is asserted, and the rates are what any machine can do.
forEachEngine((engine) => {
  describe("under load", { skip, timeout: 180_000 }, () => {
    let place: Place;
    before(async () => {
      place = await startPlace({
        engine,
        population: { accounts: 40, machines: 5_000, renewals: 10, overMs: 10_000 },
      });
    });
    after(() => place.close());

    test("a mix of everything, as fast as it goes and paced, is answered as expected", async () => {
      const { perSecond: most, problems } = await measureMaximum(place, 1);
      assert.deepEqual(problems, []);
      const perSecond = Math.min(50, most * 0.7);
      const paced = { perSecond, stretches: 1, stretchSeconds: 3, say };
      assert.deepEqual(await sustain(place, paced), []);
      const { orders, completed } = place.market.acknowledged;
      assert.ok(orders.length > 0 && completed.length > 0, "customers and operators were at work");
    });

    // Connections are the same on both, and handshakes take time.
    const skip = engine === "sqlite" ? false : "it is tried on SQLite";
    test(
      "a burst of connections is answered, every one, and leaves none behind",
      { skip },
      async () => {
        assert.deepEqual(await burst(place, { connections: 300, say }), []);
      },
    );

    test("a database that is away is told with 503, and everything goes on when it is back", async () => {
      // A write waits five seconds for SQLite's lock before it gives up.
      const seconds = engine === "sqlite" ? 7 : 2;
      assert.deepEqual(await databaseAway(place, { seconds, perSecond: 20, say }), []);
    });

    test("nothing that was acknowledged is missing, and every invariant holds", async () => {
      assert.deepEqual(await losses(place), []);
    });
  });
});
