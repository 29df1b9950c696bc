import { withCore } from "../../bench/support/rental.ts";
import { randomFrom } from "#test/random-from.ts";
import { populate } from "../load/people.ts";
import { temporaryFolder } from "#test/daemon.ts";
import { Book } from "./book.ts";
import { beCustomer, beOperator } from "./callers.ts";
import { Cluster } from "./cluster.ts";
import { differences } from "./effects.ts";

export interface TrialOptions {
  readonly databaseUrl: string;
  readonly seed: number;
  readonly customers: number;
  readonly pauseMs: number;
  readonly machines: number;
  /** Servers that come due during the run. */
  readonly renewals: number;
  readonly overMs: number;
  /** What is done to the instances while customers and an operator are at work. */
  readonly disturb: (cluster: Cluster, book: Book, random: () => number) => Promise<void>;
}

export interface TrialOutcome {
  readonly book: Book;
  readonly problems: readonly string[];
}

/** Three instances under load, whatever is done to them, and what is wrong at the end. */
export async function runTrial(options: TrialOptions): Promise<TrialOutcome> {
  const { databaseUrl, seed, pauseMs, disturb } = options;
  const data = temporaryFolder();
  const random = randomFrom(seed);
  const book = new Book();
  const { customers, operator } = await withCore(data, databaseUrl, (core) =>
    populate(core, { ...options, accounts: options.customers }),
  );
  const cluster = await Cluster.start({
    IRONLEASE_DATA: data,
    IRONLEASE_DATABASE_URL: databaseUrl,
  });
  try {
    let isOver = false;
    const run = { cluster, book, random, pauseMs, goesOn: () => !isOver };
    const working = [
      ...customers.map((customer) => beCustomer(run, customer)),
      beOperator(run, operator),
    ];
    try {
      await Promise.race([disturb(cluster, book, random), ...working]);
    } finally {
      isOver = true;
      await Promise.all(working);
    }
    const ids = customers.map(({ accountId }) => accountId);
    const found = await withCore(data, databaseUrl, ({ db }) =>
      differences(db, book, ids, options.renewals),
    );
    const { code, stdout } = await cluster.verify();
    const failures = [...book.failures].map(([what, times]) => `${what}, ${times} times`);
    return { book, problems: [...failures, ...found, ...(code === 0 ? [] : [stdout])] };
  } finally {
    await cluster.stop();
  }
}
