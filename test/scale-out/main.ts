import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { startProgress } from "../load/progress.ts";
import { readOptions, whole } from "#test/command-options.ts";
import { startOwnPostgres } from "#test/postgres-server.ts";
import { runTrial } from "./trial.ts";

const usage = `npm run scale-out -- [--minutes 5] [--seed 7]

Three instances behind a balancer, restarted in turn and then one killed each minute, under load. Ends with 1
and says why when a call failed that should not have, or when what has happened is not what callers were told.`;

const { values } = readOptions(usage, { minutes: whole(5), seed: whole(randomInt(2 ** 31)) });
const { minutes, seed } = values;
const say = startProgress();

say(`${minutes} minutes, seed ${seed}`);
const postgres = await startOwnPostgres();
try {
  const { book, problems } = await runTrial({
    ...{ databaseUrl: postgres.url, seed, customers: 16, machines: 50_000 },
    ...{ pauseMs: 10, renewals: 60 * minutes, overMs: 60_000 * (minutes + 1) },
    disturb: async (cluster, told, random) => {
      const status = () =>
        `${told.calls} calls, sent ${told.sendings} times, ${told.failures.size} kinds of failure, the slowest ${told.slowestMs.toFixed(0)} ms`;
      say("the load is on");
      await delay(5_000);
      say(status());
      await cluster.restartAll();
      say(`all three restarted in turn: ${status()}`);
      for (let minute = 1; minute <= minutes; minute += 1) {
        const nextAt = performance.now() + 60_000;
        await delay(random() * 20_000);
        await cluster.kill(Math.floor(random() * 3));
        await delay(nextAt - performance.now());
        say(`minute ${minute}, one killed and started again: ${status()}`);
      }
    },
  });
  const { placeOrder, requestWithdrawal, requestAction } = book.acknowledged;
  say(
    `${placeOrder.size} orders, ${requestWithdrawal.size} withdrawals, ${requestAction.size} actions and ${book.completed.size} steps of work acknowledged`,
  );
  for (const problem of problems) say(`WRONG: ${problem}`);
  say(problems.length === 0 ? "each happened once, and verify holds" : "not all is as it must be");
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  await postgres.stop();
}
process.exit();
