import { randomInt } from "node:crypto";
import { engines, oneOf, readOptions, whole } from "#test/command-options.ts";
import { Coverage } from "./coverage.ts";
import { fuzz } from "./fuzz.ts";
import { memoryGrowth } from "./memory-growth.ts";

const usage = `npm run fuzz -- [--requests 200000] [--seed 7] [--engine sqlite|postgres] [--number 12]

Sends valid and invalid requests to every operation and checks every answer. With --number, sends only that
request of the seed.`;

const { values } = readOptions(usage, {
  requests: whole(200_000),
  seed: whole(randomInt(2 ** 31)),
  engine: oneOf(engines),
  number: whole(),
});
const { seed, number: alone } = values;
const wanted = values.engine === undefined ? engines : [values.engine];
const progressEvery = 5_000;

let hasFailed = false;
const fail = (failure: string) => {
  hasFailed = true;
  console.log(`FAILED: ${failure}`);
};

for (const engine of wanted) {
  const coverage = new Coverage();
  const share = Math.floor(values.requests / wanted.length);
  const requests = alone === undefined ? share : 1;
  console.log(`${engine}: ${requests} requests, seed ${seed}`);
  let shown = 0;
  const { memory } = await fuzz({
    engine,
    seed,
    requests,
    coverage,
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
  const growth = memoryGrowth(memory);
  console.log(`${engine}: ${growth.text}`);
  if (growth.isTooMuch) fail("memory use grows with the number of requests");
  console.log(`${engine}: ${coverage.summary()}`);
  for (const reason of coverage.gaps(5, 1_000)) fail(reason);
}
console.log(hasFailed ? "Failures found." : "Every answer matches the OpenAPI documents.");
process.exit(hasFailed ? 1 : 0);
