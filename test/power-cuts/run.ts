import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { killPostgres } from "./postgres-kills.ts";
import { whyNoRecorder } from "./recorder.ts";
import type { Weakness } from "./record-run.ts";
import { describeCuts, describeKill, describeRun, problemsOf } from "./report.ts";
import { cutKept, cutSqliteRuns } from "./sqlite-runs.ts";

/**
 * Power cuts, as many as one likes: `npm run power-cuts -- sqlite --cuts 1000 --seed 7`. With
 * `--synchronous normal` or `off` SQLite is made to sync less than the service asks: it must fail then.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    cuts: { type: "string" },
    seed: { type: "string", default: String(randomInt(2 ** 31)) },
    synchronous: { type: "string", default: "full" },
    /** The log of a run that lost something, to cut it in the same places again. */
    recording: { type: "string" },
  },
});
const seed = Number(values.seed);
const weaknesses: Readonly<Record<string, Weakness | undefined>> = {
  ...{ full: undefined, normal: "normal", off: "off" },
};

async function sqlite(): Promise<number> {
  const reason = whyNoRecorder();
  if (reason !== undefined) throw new Error(reason);
  if (!(values.synchronous in weaknesses)) throw new Error("--synchronous is full, normal or off");
  const cuts = Number(values.cuts ?? 1_000);
  if (values.recording !== undefined) {
    const again = await cutKept(values.recording, cuts, seed);
    console.log(describeCuts(again));
    return problemsOf(again);
  }
  console.log(`SQLite, synchronous ${values.synchronous}, seed ${seed}: ${cuts} cuts`);
  const weakness = weaknesses[values.synchronous];
  const runs = await cutSqliteRuns({
    ...{ cuts, seed, weakness },
    onRun: (run) => console.log(describeRun(run)),
  });
  const all = runs.flatMap((run) => run.cuts);
  console.log(describeCuts(all));
  return problemsOf(all);
}

async function postgres(): Promise<number> {
  const cuts = Number(values.cuts ?? 100);
  console.log(`PostgreSQL, seed ${seed}: ${cuts} kills`);
  const kills = await killPostgres({
    ...{ kills: cuts, seed },
    onKill: (kill) => console.log(describeKill(kill)),
  });
  return problemsOf(kills);
}

const engines: Readonly<Record<string, () => Promise<number>>> = { sqlite, postgres };
let problems = 0;
for (const name of positionals.length === 0 ? Object.keys(engines) : positionals) {
  const run = engines[name];
  if (run === undefined) throw new Error(`power is cut under sqlite or postgres, not ${name}`);
  problems += await run();
}
console.log(problems === 0 ? "Nothing acknowledged was lost." : `${problems} problems.`);
process.exit(problems === 0 ? 0 : 1);
