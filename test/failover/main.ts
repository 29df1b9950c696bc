import { randomInt } from "node:crypto";
import { oneOf, readOptions, whole } from "#test/command-options.ts";
import { problemsOf } from "../power-cuts/report.ts";
import { loseWrites, problemsOfControl } from "./control.ts";
import { chooseDriver, etcdDrivers } from "./etcd-driver.ts";
import { findPrograms } from "./programs.ts";
import { describeControl, describeRestore, describeRun, describeRuns } from "./report.ts";
import { backUp, restoreToPoint } from "./restore.ts";
import { runFaults } from "./run-faults.ts";
import { startTestBed } from "./test-bed.ts";

const usage = `npm run failover -- [--minutes 15] [--seed 7] [--driver etcd|etcd3]

Runs the service on three PostgreSQL servers with Patroni, etcd and HAProxy, configured as in deploy/patroni. Kills and
stops servers and cuts links under load, then checks that every acknowledged write is present once. At the end it
restores a backup to a point in time, and loses writes on purpose with asynchronous replication.`;

const { values } = readOptions(usage, {
  minutes: whole(15),
  seed: whole(randomInt(2 ** 31)),
  driver: oneOf(etcdDrivers),
});
const { minutes, seed } = values;

async function run(): Promise<number> {
  const programs = await findPrograms();
  const driver = chooseDriver(programs.versions.patroni, values.driver);
  const versions = Object.entries(programs.versions).map((one) => one.join(" "));
  console.log(`${versions.join(", ")}; driver ${driver}, seed ${seed}, ${minutes} minutes`);
  const bed = await startTestBed(programs, driver);
  try {
    await backUp(bed.cluster);
    const startedAt = performance.now();
    const end = startedAt + minutes * 60_000;
    const runs = await runFaults(bed, {
      seed,
      isOver: () => performance.now() > end,
      onStart: (fault) => console.log(`${minutesSince(startedAt)} ${fault}`),
      onFault: (fault) => console.log(describeRun(fault)),
    });
    console.log(describeRuns(runs, bed.service.statuses));
    if (problemsOf(runs) > 0) return problemsOf(runs);
    const restore = await restoreToPoint(bed, seed);
    console.log(describeRestore(restore));
    const control = await loseWrites(bed, seed);
    console.log(describeControl(control));
    return [...restore.problems, ...problemsOfControl(control)].length;
  } finally {
    await bed.stop();
  }
}

function minutesSince(time: number): string {
  return `${((performance.now() - time) / 60_000).toFixed(1)} min`;
}

let problems: number;
try {
  problems = await run();
} catch (error) {
  problems = 1;
  console.error("the run could not be set up or finished", error);
}
console.log(problems === 0 ? "No problems found." : `${problems} problems found.`);
process.exit(problems === 0 ? 0 : 1);
