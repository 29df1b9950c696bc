import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import type { Engine } from "../../packages/server/src/ports/db.ts";
import { runModel } from "./run.ts";
import { World } from "./world.ts";

/** The model test for as long as one likes: `npm run soak -- --runs 5000 --engine postgres --seed 7 --shrink`. */
const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "1000" },
    seed: { type: "string", default: String(randomInt(2 ** 31)) },
    engine: { type: "string", default: "sqlite" },
    shrink: { type: "boolean", default: false },
  },
});
const world = await World.open(values.engine as Engine);
console.log(`${values.engine}, seed ${values.seed}, ${values.runs} runs of 200 operations`);
const startedAt = performance.now();
try {
  const operations = await runModel(world, {
    seed: Number(values.seed),
    runs: Number(values.runs),
    stepsPerRun: 200,
    shrinks: values.shrink,
  });
  console.log(
    `${operations} operations agree in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
  );
} finally {
  await world.close();
}
