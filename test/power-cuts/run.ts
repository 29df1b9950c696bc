import { randomInt } from "node:crypto";
import { oneOf, readOptions, text, whole } from "#test/command-options.ts";
import { killPostgres } from "./postgres-kills.ts";
import { whyNoRecorder } from "./recorder.ts";
import { describeCuts, describeKill, describeRun, problemsOf } from "./report.ts";
import { cutKept, cutSqliteRuns } from "./sqlite-runs.ts";

const usage = `npm run power-cuts -- [sqlite|postgres] [--cuts 1000] [--seed 7]
npm run power-cuts -- sqlite [--synchronous normal|off] [--recording FOLDER]

Power cuts, as many as one likes. When SQLite is made to sync less than the service asks, it must fail. The
recording of a run that lost something is cut in the same places again.`;

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
  const reason = whyNoRecorder();
  if (reason !== undefined) throw new Error(reason);
  const { cuts = 1_000 } = values;
  if (values.recording !== undefined) {
    const again = await cutKept(values.recording, cuts, seed);
    console.log(describeCuts(again));
    return problemsOf(again);
  }
  console.log(`SQLite, synchronous ${synchronous}, seed ${seed}: ${cuts} cuts`);
  const weakness = synchronous === "full" ? undefined : synchronous;
  const runs = await cutSqliteRuns({
    ...{ cuts, seed, weakness },
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
    ...{ kills: cuts, seed },
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
    console.error(`${name}: the run could not be set up or ended`, error);
  }
}
console.log(problems === 0 ? "Nothing acknowledged was lost." : `${problems} problems.`);
process.exit(problems === 0 ? 0 : 1);
