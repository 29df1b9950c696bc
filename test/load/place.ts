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
import { Market } from "./market.ts";
import { populate, type Population } from "./people.ts";
import { Sender } from "./sender.ts";

/** The service as people run it, with HTTPS, in a process of its own, and a market in front of it. */
export interface Place {
  readonly engine: Engine;
  readonly data: string;
  /** Undefined with SQLite. */
  readonly postgres: OwnPostgres | undefined;
  readonly env: Readonly<Record<string, string>> & { readonly IRONLEASE_DATA: string };
  readonly daemon: Daemon;
  readonly ca: string;
  readonly random: () => number;
  readonly market: Market;
  readonly sender: Sender;
  /** Works on the database beside the service. */
  withCore<T>(work: (core: Core) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export interface PlaceOptions {
  readonly engine: Engine;
  readonly seed?: number;
  readonly population: Population;
  readonly settings?: Readonly<Record<string, string>>;
}

export async function startPlace(options: PlaceOptions): Promise<Place> {
  const { engine, seed = randomInt(2 ** 31), population, settings } = options;
  const data = temporaryFolder();
  const postgres = engine === "postgres" ? await startOwnPostgres() : undefined;
  const atCore = <T>(work: (core: Core) => Promise<T>) => withCore(data, postgres?.url, work);
  try {
    const people = await atCore((core) => populate(core, population));
    const env = {
      IRONLEASE_DATA: data,
      ...(postgres !== undefined && { IRONLEASE_DATABASE_URL: postgres.url }),
      IRONLEASE_AUTH_LIMITS: "off",
      ...noActionLimits,
      ...settings,
    };
    // A line for each request would fill this process; in a file it costs what it costs in earnest.
    const daemon = await startIronleased("preview", env, { logPath: join(data, "log") });
    const ca = readFileSync(join(data, "tls", "ca.pem"), "utf8");
    const random = randomFrom(seed);
    const market = new Market(random, people, `load-${seed}`);
    const sender = new Sender(market, { ...daemon, ca });
    return {
      ...{ engine, data, postgres, env, daemon, ca, random, market, sender, withCore: atCore },
      close: async () => {
        sender.close();
        const code = await daemon.stop();
        await postgres?.stop();
        rmSync(data, { recursive: true, force: true });
        if (code !== 0) throw new Error(`ironleased ended with ${code}`);
      },
    };
  } catch (error) {
    await postgres?.stop();
    throw error;
  }
}
