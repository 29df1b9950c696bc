import { readOptions } from "#test/command-options.ts";
import { startPostgres } from "#test/postgres-server.ts";
import { plantedBugs } from "./bugs/index.ts";
import { sabotage, type Trial } from "./sabotage.ts";
import { checkTypes } from "./check-types.ts";

const usage = `npm run sabotage -- [lease-ignored refund-rounding …]

Plants every bug, or only the named ones, and shows which test catches each.`;

const names = plantedBugs.map(({ name }) => name);
const { words } = readOptions(usage, {}, names);
const bugs =
  words.length === 0 ? plantedBugs : plantedBugs.filter(({ name }) => words.includes(name));

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const outcomeOf = ({ verdict }: Trial) => {
  if (verdict.kind === "survived") return "SURVIVED: no test caught it";
  if (verdict.kind === "broken") return `BROKEN: ${verdict.why.split("\n")[0]}`;
  return verdict.by + (verdict.more === 0 ? "" : ` (and ${verdict.more} more)`);
};

console.log(`checking that ${bugs.length} bugs pass the type checker`);
await checkTypes(bugs);
const postgres = await startPostgres();
try {
  console.log("running the tests without bugs:");
  const trials = await sabotage({
    bugs,
    concurrency: 2,
    postgresUrl: postgres.url,
    onPassing: (file, { outcomes, ms }) => {
      const passed = outcomes.filter(({ end }) => end === "passed").length;
      console.log(`  ${file}: ${passed} passed, ${seconds(ms)}`);
    },
    onTrial: (trial) => console.log(`${trial.bug.name}: ${outcomeOf(trial)}, ${seconds(trial.ms)}`),
  });
  const caught = trials.filter(({ verdict }) => verdict.kind === "caught");
  const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  console.log(["", row(["Bug", "Caught by", "Time"]), row(["---", "---", "---"])].join("\n"));
  for (const trial of trials) {
    console.log(row([trial.bug.name, outcomeOf(trial), seconds(trial.ms)]));
  }
  console.log(`\n${caught.length} of ${trials.length} caught`);
  if (caught.length < trials.length) process.exitCode = 1;
} finally {
  await postgres.stop();
}
