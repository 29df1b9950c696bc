import { randomInt } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { withCore } from "../../bench/support/rental.ts";
import type { Core } from "#server/kernel/core.ts";
import type { Engine } from "#server/ports/db.ts";
import { randomFrom } from "#test/random-from.ts";
import { startIronleased, temporaryFolder, type Daemon } from "#test/daemon.ts";
import { noActionLimits } from "#test/no-action-limits.ts";
import { startOwnPostgres, type OwnPostgres } from "#test/postgres-server.ts";
import { Workload } from "./workload.ts";
import { populate, type Population } from "./populate.ts";
import { Sender } from "./sender.ts";

/** The service in its own process, with HTTPS, a populated database and a client that sends load. */
export interface TestBed {
  readonly engine: Engine;
  readonly data: string;
  /** Undefined with SQLite. */
  readonly postgres: OwnPostgres | undefined;
  readonly env: Readonly<Record<string, string>> & { readonly IRONLEASE_DATA: string };
  readonly daemon: Daemon;
  readonly ca: string;
  readonly random: () => number;
  readonly workload: Workload;
  readonly sender: Sender;
  /** Opens the service's database from this process. */
  withCore<T>(work: (core: Core) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface TestBedOptions {
  readonly engine: Engine;
  readonly seed?: number;
  readonly population: Population;
  readonly settings?: Readonly<Record<string, string>>;
}

export async function startTestBed(options: TestBedOptions): Promise<TestBed> {
  const { engine, seed = randomInt(2 ** 31), population, settings } = options;
  const data = temporaryFolder();
  const postgres = engine === "postgres" ? await startOwnPostgres() : undefined;
  const withOwnCore = <T>(work: (core: Core) => Promise<T>) => withCore(data, postgres?.url, work);
  try {
    const people = await withOwnCore((core) => populate(core, population));
    const env = {
      IRONLEASE_DATA: data,
      ...(postgres !== undefined && { IRONLEASE_DATABASE_URL: postgres.url }),
      IRONLEASE_AUTH_LIMITS: "off",
      ...noActionLimits,
      ...settings,
    };
    // Logging to a file, as in production, keeps the log lines out of this process's memory.
    const daemon = await startIronleased("preview", env, { logPath: join(data, "log") });
    const ca = readFileSync(join(data, "tls", "ca.pem"), "utf8");
    const random = randomFrom(seed);
    const workload = new Workload(random, people, `load-${seed}`);
    const sender = new Sender(workload, { ...daemon, ca });
    return {
      engine,
      data,
      postgres,
      env,
      daemon,
      ca,
      random,
      workload,
      sender,
      withCore: withOwnCore,
      close: async () => {
        sender.close();
        const code = await daemon.stop();
        await postgres?.stop();
        rmSync(data, { recursive: true, force: true });
        if (code !== 0) throw new Error(`ironleased exited with ${code}`);
      },
    };
  } catch (error) {
    await postgres?.stop();
    throw error;
  }
}
