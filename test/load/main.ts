import { randomInt } from "node:crypto";
import { engines, oneOf, readOptions, whole } from "#test/command-options.ts";
import { burst } from "./burst.ts";
import { crowd } from "./crowd.ts";
import { databaseAway } from "./database-away.ts";
import { losses } from "./losses.ts";
import { startPlace } from "./place.ts";
import { startProgress } from "./progress.ts";
import { measureMaximum, sustain } from "./sustained.ts";

const usage = `npm run load -- [--minutes 10] [--engine sqlite|postgres] [--seed 7] [--connections 2000]

Everything that load may do, in earnest; the connections are those of the burst. Takes some four minutes more
than it is told. Ends with 1 and says why when anything is not as it must be.`;

const { values } = readOptions(usage, {
  minutes: whole(10),
  engine: oneOf(engines, "sqlite"),
  seed: whole(randomInt(2 ** 31)),
  connections: whole(2_000),
});
const { minutes, engine, seed, connections } = values;
const say = startProgress();

say(`${engine}, ${minutes} minutes, seed ${seed}`);
const place = await startPlace({
  engine,
  seed,
  population: {
    accounts: 2_000,
    machines: 100_000,
    renewals: 60 * minutes,
    overMs: 60_000 * (minutes + 3),
  },
});
const problems: string[] = [];
/** What goes wrong in one part must not keep the others from being tried. */
const attempt = async (part: Promise<readonly string[]>) => {
  problems.push(...(await part.catch((error: unknown) => [String(error)])));
};
try {
  say("the market is open");
  const { perSecond: most, problems: inHaste } = await measureMaximum(place, 15);
  problems.push(...inHaste);
  const steady = most * 0.7;
  say(
    `${most.toFixed(0)} a second at most, in a closed loop; now ${steady.toFixed(0)} in an open one`,
  );
  await attempt(sustain(place, { perSecond: steady, stretches: minutes, stretchSeconds: 60, say }));
  await attempt(burst(place, { connections, say }));
  // Far from what it can take: these parts are about what else goes on.
  const perSecond = Math.min(50, most * 0.2);
  const slow = { perSecond, ofEachKind: 50, idle: 2_000, withinMs: 300_000, say };
  await attempt(crowd(place, slow));
  await attempt(databaseAway(place, { seconds: 30, perSecond, say }));
  await attempt(losses(place));
  say(`${place.market.acknowledged.orders.length} orders were acknowledged`);
} finally {
  await place.close();
}
for (const problem of problems) say(`WRONG: ${problem}`);
say(problems.length === 0 ? "all is as it must be" : `${problems.length} things are wrong`);
process.exit(problems.length === 0 ? 0 : 1);
