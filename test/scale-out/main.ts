import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { startProgress } from "../load/progress.ts";
import { readOptions, whole } from "#test/command-options.ts";
import { startOwnPostgres } from "#test/postgres-server.ts";
import { runTrial } from "./trial.ts";

const usage = `npm run scale-out -- [--minutes 5] [--seed 7]

Runs three instances behind a load balancer under load. Restarts each in turn, then kills one each minute. Exits
with 1 and lists the problems if a call fails or the database differs from what was acknowledged.`;

const { values } = readOptions(usage, { minutes: whole(5), seed: whole(randomInt(2 ** 31)) });
const { minutes, seed } = values;
const log = startProgress();

log(`${minutes} minutes, seed ${seed}`);
const postgres = await startOwnPostgres();
try {
  const { callLog, problems } = await runTrial({
    databaseUrl: postgres.url,
    seed,
    customers: 16,
    machines: 50_000,
    pauseMs: 10,
    renewals: 60 * minutes,
    overMs: 60_000 * (minutes + 1),
    disturb: async (cluster, callLog, random) => {
      const status = () =>
        `${callLog.calls} calls, ${callLog.attempts} attempts, ${callLog.failures.size} kinds of failure, slowest ${callLog.slowestMs.toFixed(0)} ms`;
      log("load started");
      await delay(5_000);
      log(status());
      await cluster.restartAll();
      log(`all three instances restarted in turn: ${status()}`);
      for (let minute = 1; minute <= minutes; minute += 1) {
        const nextAt = performance.now() + 60_000;
        await delay(random() * 20_000);
        await cluster.kill(Math.floor(random() * 3));
        await delay(nextAt - performance.now());
        log(`minute ${minute}, one instance killed and restarted: ${status()}`);
      }
    },
  });
  const { placeOrder, requestWithdrawal, requestAction } = callLog.acknowledged;
  log(
    `acknowledged: ${placeOrder.size} orders, ${requestWithdrawal.size} withdrawals, ${requestAction.size} actions, ${callLog.completed.size} completed work items`,
  );
  for (const problem of problems) log(`PROBLEM: ${problem}`);
  log(problems.length === 0 ? "No problems found." : `${problems.length} problems found.`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await postgres.stop();
}
process.exit();
