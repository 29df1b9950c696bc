import { randomInt } from "node:crypto";
import { engines, oneOf, readOptions, whole } from "#test/command-options.ts";
import { openEngine } from "#test/engines.ts";
import { openAt } from "#test/open-at.ts";
import { startProgress } from "../../load/progress.ts";
import { runSoak } from "./run-soak.ts";

const usage = `npm run chain-soak -- [--steps 200] [--seed 7] [--engine sqlite|postgres]

Makes payments, reorganizations, replacements, restarts and crashes at random on a real litecoind, and compares the
deposits with a model. Exits with 1 and lists the problems if they differ. A seed repeats the order of events.`;

const { values } = readOptions(usage, {
  steps: whole(200),
  seed: whole(randomInt(2 ** 31)),
  engine: oneOf(engines, "sqlite"),
});
const { steps, seed, engine } = values;
const log = startProgress();

log(`${engine}, ${steps} steps, seed ${seed}`);
const opened = await openEngine(engine);
try {
  const open = () => openAt(engine, opened.location);
  const { problems, summary } = await runSoak({ steps, seed, open, log });
  for (const line of summary) log(line);
  for (const problem of problems) log(`PROBLEM: ${problem}`);
  log(problems.length === 0 ? "No problems found." : `${problems.length} problems found.`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await opened.dispose();
}
process.exit();
