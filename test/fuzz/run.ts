import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import type { Engine } from "../../packages/server/src/ports/db.ts";
import { Coverage } from "./coverage.ts";
import { fuzz } from "./fuzz.ts";
import { growthIn } from "./growth.ts";

/**
 * Requests of every kind, right and wrong, for as long as one likes:
 * `npm run fuzz -- --requests 200000 --seed 7 --engine sqlite`. With `--number N`, that request alone.
 */
const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "200000" },
    seed: { type: "string", default: String(randomInt(2 ** 31)) },
    engine: { type: "string" },
    number: { type: "string" },
  },
});
const seed = Number(values.seed);
const engines = (
  values.engine === undefined ? ["sqlite", "postgres"] : [values.engine]
) as Engine[];
const progressEvery = 5_000;

let hasFailed = false;
const fail = (what: string) => {
  hasFailed = true;
  console.log(`FAILED: ${what}`);
};

for (const engine of engines) {
  const coverage = new Coverage();
  const share = Math.floor(Number(values.requests) / engines.length);
  const alone = values.number === undefined ? undefined : Number(values.number);
  const requests = alone === undefined ? share : 1;
  console.log(`${engine}: ${requests} requests, seed ${seed}`);
  let shown = 0;
  const { memory } = await fuzz({
    ...{ engine, seed, requests, coverage },
    from: alone ?? 0,
    watchesMemory: true,
    onFailure: fail,
    onProgress: (done, failed) => {
      if (done < shown + progressEvery) return;
      shown = done;
      console.log(`${engine}: ${done} of ${requests} sent, ${failed} failures`);
    },
  });
  for (const line of coverage.table()) if (line.includes("×")) console.log(line);
  if (alone !== undefined) continue;
  const growth = growthIn(memory);
  console.log(`${engine}: ${growth.text}`);
  if (growth.isTooMuch) fail("memory grows with the number of requests");
  console.log(`${engine}: ${coverage.summary()}`);
  for (const reason of coverage.shortcomings(5, 1_000)) fail(reason);
}
console.log(hasFailed ? "There are failures." : "Every answer was as the documents say.");
process.exit(hasFailed ? 1 : 0);
