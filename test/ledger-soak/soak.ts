import { setTimeout } from "node:timers/promises";
import { verifyStatement, type StatementKeys } from "@ironlease/statement";
import type { Core } from "#server/kernel/core.ts";
import { runIronleased } from "#test/daemon.ts";
import { median, startIronlease } from "../../bench/support/processes.ts";
import { stockUp, withCore } from "../../bench/support/rental.ts";
import { orderRepeatedly, signIn, type Shopper } from "./shoppers.ts";
import { longestLedger, writeOldLedger, type OldLedger } from "./old-ledger.ts";

export interface Place {
  readonly data: string;
  readonly databaseUrl: string | undefined;
}

export interface SoakOptions extends OldLedger {
  readonly seconds: number;
}

/** The first has the longest ledger, so its orders and the job want the same balance most often. */
const shoppers = [0, 1, 2, 3];

/** Enough for the orders of about twenty minutes. */
const machines = 20_000;

const pollMs = 100;

/** Returns what went wrong. */
export async function soak(
  { data, databaseUrl }: Place,
  options: SoakOptions,
  log: (line: string) => void,
): Promise<readonly string[]> {
  const settings = {
    IRONLEASE_DATA: data,
    ...(databaseUrl === undefined ? {} : { IRONLEASE_DATABASE_URL: databaseUrl }),
  };
  const problems: string[] = [];
  await writeOldLedger(settings, options);
  log(`${options.entries} entries without a hash, ${longestLedger(options)} in one ledger`);
  const service = await startIronlease(databaseUrl, data);
  const startedAt = performance.now() - service.startMs;
  log(`migrated and ready after ${seconds(service.startMs)}`);
  try {
    await withCore(data, databaseUrl, async (core) => {
      await stockUp(core, machines);
      const customers = await Promise.all(shoppers.map((index) => signIn(service.port, index)));
      const meanwhile = await orderWhile(customers, () => allChained(core));
      log(`chained after ${seconds(performance.now() - startedAt)}`);
      const afterwards = await orderWhile(customers, () => setTimeout(options.seconds * 1_000));
      log(
        `${meanwhile.length} orders meanwhile: the median waited ${ratio(meanwhile, afterwards, median)} × and the ` +
          `longest ${ratio(meanwhile, afterwards, longest)} × as long as with all entries chained (${afterwards.length} orders)`,
      );
      problems.push(...(await statementProblems(service.port, customers[0], options)));
    });
    problems.push(...service.warningsAndErrors());
  } catch (error) {
    problems.push(String(error), ...service.warningsAndErrors());
  } finally {
    await service.stop();
  }
  const verifyingAt = performance.now();
  const { code, stdout } = await runIronleased(["verify"], settings);
  log(`ironleased verify took ${seconds(performance.now() - verifyingAt)} and exited with ${code}`);
  if (code !== 0) problems.push(stdout);
  return problems;
}

async function allChained(core: Core): Promise<void> {
  const unchained = core.db.read
    .selectFrom("balances")
    .select("account_id")
    .whereRef("chained_entries", "<", "entries")
    .limit(1);
  while ((await unchained.executeTakeFirst()) !== undefined) await setTimeout(pollMs);
}

/** How long each order waited for its answer. */
async function orderWhile(
  customers: readonly Shopper[],
  work: () => Promise<void>,
): Promise<readonly number[]> {
  const over = new AbortController();
  const ordering = Promise.all(customers.map((one) => orderRepeatedly(one, over.signal)));
  await Promise.race([work(), ordering]);
  over.abort();
  return (await ordering).flat();
}

async function statementProblems(
  port: number,
  customer: Shopper | undefined,
  ledger: OldLedger,
): Promise<readonly string[]> {
  const get = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie: customer?.cookie ?? "" } });
  const keys = (await (
    await get("/.well-known/ironlease-statement-keys.json")
  ).json()) as StatementKeys;
  const file = await (await get("/api/v1/statement")).bytes();
  const verified = await verifyStatement(file, keys);
  if (!verified.ok) return [verified.problem];
  const count = verified.value.entries.length;
  return count > longestLedger(ledger) ? [] : [`the statement has only ${count} entries`];
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;

const longest = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b), 0);

function ratio(
  during: readonly number[],
  afterwards: readonly number[],
  of: (values: readonly number[]) => number,
): string {
  return (of(during) / of(afterwards)).toFixed(1);
}
