import { randomInt } from "node:crypto";
import { oneOf, readOptions, text, whole } from "#test/command-options.ts";
import { killPostgres } from "./postgres-kills.ts";
import { recorderUnavailableReason } from "./recorder.ts";
import { describeCuts, describeKill, describeRun, problemsOf } from "./report.ts";
import { cutSavedLog, cutSqliteRuns } from "./sqlite-runs.ts";

const usage = `npm run power-cuts -- [sqlite|postgres] [--cuts 1000] [--seed 7]
npm run power-cuts -- sqlite [--synchronous normal|off] [--recording FOLDER]

Cuts the power under SQLite and kills PostgreSQL, then checks that no acknowledged write is lost. With
--synchronous, SQLite syncs less than the service requires, and the check must fail. With --recording, cuts the
saved log of a failed run at the same positions again.`;

const engines: Readonly<Record<string, () => Promise<number>>> = { sqlite, postgres };
const { values, words } = readOptions(
  usage,
  {
    cuts: whole(),
    seed: whole(randomInt(2 ** 31)),
    synchronous: oneOf(["full", "normal", "off"], "full"),
    recording: text,
  },
  Object.keys(engines),
);
const { seed, synchronous } = values;

async function sqlite(): Promise<number> {
  const reason = recorderUnavailableReason();
  if (reason !== undefined) throw new Error(reason);
  const { cuts = 1_000 } = values;
  if (values.recording !== undefined) {
    const repeated = await cutSavedLog(values.recording, cuts, seed);
    console.log(describeCuts(repeated));
    return problemsOf(repeated);
  }
  console.log(`SQLite, synchronous ${synchronous}, seed ${seed}: ${cuts} cuts`);
  const weakerSync = synchronous === "full" ? undefined : synchronous;
  const runs = await cutSqliteRuns({
    cuts,
    seed,
    weakerSync,
    onRun: (run) => console.log(describeRun(run)),
  });
  const all = runs.flatMap((run) => run.cuts);
  console.log(describeCuts(all));
  return problemsOf(all);
}

async function postgres(): Promise<number> {
  const { cuts = 100 } = values;
  console.log(`PostgreSQL, seed ${seed}: ${cuts} kills`);
  const kills = await killPostgres({
    kills: cuts,
    seed,
    onKill: (kill) => console.log(describeKill(kill)),
  });
  return problemsOf(kills);
}

let problems = 0;
for (const [name, run] of Object.entries(engines)) {
  if (words.length > 0 && !words.includes(name)) continue;
  try {
    problems += await run();
  } catch (error) {
    problems += 1;
    console.error(`${name}: the run could not be set up or finished`, error);
  }
}
console.log(problems === 0 ? "No problems found." : `${problems} problems found.`);
process.exit(problems === 0 ? 0 : 1);
