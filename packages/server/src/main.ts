import { mkdirSync } from "node:fs";
import type { AddressInfo, Server } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Server as TlsServer } from "node:tls";
import { operations } from "@ironlease/contract";
import type { Logger } from "pino";
import { createSimulatedRates } from "./adapters/settlement-simulated/simulated-rates.ts";
import { createSimulatedSettlement } from "./adapters/settlement-simulated/simulated-settlement.ts";
import { openSqlite } from "./adapters/sqlite/open-sqlite.ts";
import { createArgon2 } from "./adapters/system/argon2.ts";
import { systemClock } from "./adapters/system/clock.ts";
import { systemRandom } from "./adapters/system/random.ts";
import { loadTls, type LoadedTls } from "./adapters/system/tls.ts";
import type { Config } from "./config.ts";
import { startSettlementWatch } from "./features/deposits/settlement-timer.ts";
import { sweep } from "./features/housekeeping/sweep.ts";
import { accountAuthentication } from "./http/authentication.ts";
import { clientAddresses } from "./http/client-address.ts";
import { accountCookies } from "./http/cookies.ts";
import { consolePages } from "./http/console-pages.ts";
import { docsPages } from "./http/docs-page.ts";
import { createHandlers } from "./http/handlers/index.ts";
import { anyOrigin, configuredOrigins, type Origins } from "./http/origins.ts";
import { createServer } from "./http/server.ts";
import type { Core, Rules } from "./kernel/core.ts";
import { createIds } from "./kernel/ids.ts";
import { startRepeating } from "./kernel/repeating-pass.ts";
import { migrations } from "./migrations/index.ts";
import type { Clock } from "./ports/clock.ts";
import type { Db } from "./ports/db.ts";
import type { PasswordHash } from "./ports/password-hash.ts";
import type { Random } from "./ports/random.ts";
import { version } from "./version.ts";

/** What a test may put in place of the outside. */
export interface Overrides {
  readonly clock?: Clock;
  readonly random?: Random;
  readonly passwords?: PasswordHash;
}

export interface Service {
  /** Where a client on this machine reaches it. */
  readonly url: string;
  readonly tls: LoadedTls | undefined;
  readonly core: Core;
  /** Stops accepting, lets every accepted request finish, then lets go of the database. */
  close(): Promise<void>;
}

/** Where `npm run build` puts the console. Only its files are known here, none of its code. */
const consoleFolder = fileURLToPath(new URL("../../console/dist", import.meta.url));

/** Renewal is looked at this often; a certificate is renewed a month before its end. */
const tlsCheckMs = 12 * 3_600_000;

/** Lapsed sessions, limits and leases are cleared away this often. */
const sweepEveryMs = 60_000;

/**
 * Puts the service together and starts it. The only place that names concrete adapters. `prepare`
 * may fill an empty database before anybody can see it.
 */
export async function startService(
  config: Config,
  log: Logger,
  overrides: Overrides = {},
  prepare?: (core: Core) => Promise<void>,
): Promise<Service> {
  const db = await openDatabase(config, log);
  try {
    const applied = await db.migrate(migrations, (overrides.clock ?? systemClock).now());
    if (applied.length > 0) log.info({ applied }, "migrated the database");
    const core = createCore(config, db, overrides);
    await prepare?.(core);
    return await listen(config, core, log);
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** What use cases are handed, over a database that has its tables. */
export function createCore(config: Config, db: Db, overrides: Overrides = {}): Core {
  const { clock = systemClock, random = systemRandom } = overrides;
  const isSimulated = config.settlement === "simulated";
  return {
    db,
    clock,
    random,
    ids: createIds(clock, random),
    passwords: overrides.passwords ?? createArgon2(),
    settlement: isSimulated ? createSimulatedSettlement(db, random) : undefined,
    rates: isSimulated ? createSimulatedRates(clock) : undefined,
    rules: rulesOf(config),
  };
}

/** SQLite in the data folder unless a PostgreSQL address is configured. */
export async function openDatabase(config: Config, log: Logger): Promise<Db> {
  if (config.databaseUrl !== undefined) {
    // Loaded only where it is used: the driver takes memory and time to start.
    const { openPostgres } = await import("./adapters/postgres/open-postgres.ts");
    return openPostgres({
      url: config.databaseUrl,
      poolSize: config.databasePool,
      onIdleError: (error) => log.warn({ err: error }, "an idle database connection was lost"),
    });
  }
  mkdirSync(config.data, { recursive: true, mode: 0o700 });
  return openSqlite(join(config.data, "ironlease.db"));
}

async function listen(config: Config, core: Core, log: Logger): Promise<Service> {
  const tls = await loadTls(config.tls, config.data, core.clock.now());
  let port = config.listen.port;
  const listener = createServer({
    operations,
    handlers: createHandlers(core, version),
    pages: [...docsPages(version), ...consolePages(consoleFolder, "account")],
    origins: originsOf(config, () => port),
    cookies: accountCookies,
    authentication: accountAuthentication(core),
    clientAddress: clientAddresses(config.trustProxy ?? []),
    log,
    tls: tls && { key: tls.keyPem, cert: tls.certificatePem },
  });
  await listener.listen(config.listen.host, config.listen.port);
  port = (listener.server.address() as AddressInfo).port;
  const report = (what: string) => (error: unknown) => log.error({ err: error }, what);
  const passes = [
    startSettlementWatch(core, report("settlement could not be watched"), config.settlementEvery),
    startRepeating(
      quietly(() => sweep(core)),
      sweepEveryMs,
      report("sweeping failed"),
    ),
    startRepeating(
      quietly(() => renewTls(config, core, log, listener.server)),
      tlsCheckMs,
      report("the certificate could not be renewed"),
    ),
  ];

  return {
    url: `${tls === undefined ? "http" : "https"}://${urlHost(config.listen.host)}:${port}`,
    tls,
    core,
    close: async () => {
      const stopped = Promise.all(passes.map((pass) => pass.stop()));
      const overdue = setTimeout(() => listener.server.closeAllConnections(), config.drain);
      await listener.drain();
      clearTimeout(overdue);
      await stopped;
      await core.db.close();
    },
  };
}

/** A pass that says nothing unless it throws. */
function quietly(pass: () => Promise<unknown>): () => Promise<readonly unknown[]> {
  return async () => {
    await pass();
    return [];
  };
}

async function renewTls(config: Config, core: Core, log: Logger, server: Server): Promise<void> {
  const tls = await loadTls(config.tls, config.data, core.clock.now());
  if (tls === undefined) return;
  if (server instanceof TlsServer)
    server.setSecureContext({ key: tls.keyPem, cert: tls.certificatePem });
  log.debug({ fingerprint: tls.fingerprint256 }, "looked at the certificate");
}

function originsOf(config: Config, port: () => number): Origins {
  if (config.origin !== undefined) return configuredOrigins(config.origin);
  // Without TLS there may be a proxy in front that ends it, or a browser on this machine.
  const schemes = config.tls.kind === "off" ? (["https", "http"] as const) : (["https"] as const);
  if (!config.listen.isLoopback) return anyOrigin(schemes);
  const names = ["localhost", "127.0.0.1", "[::1]"];
  let origins: Origins | undefined;
  return {
    // The port is known only once the listener has one.
    forHost: (host) => {
      origins ??= configuredOrigins(
        schemes.flatMap((scheme) => names.map((name) => `${scheme}://${name}:${port()}`)),
      );
      return origins.forHost(host);
    },
  };
}

function rulesOf(config: Config): Rules {
  const { signInPerAddressAndUsername, signInPerAddress } = config;
  const { registrationPerAddress, recoveryPerAddressAndUsername } = config;
  return {
    sessionIdleMs: config.sessionIdle,
    sessionTotalMs: config.sessionTotal,
    graceMs: config.grace,
    rateLimits:
      config.authLimits === "off"
        ? undefined
        : {
            signInPerAddressAndUsername,
            signInPerAddress,
            registrationPerAddress,
            recoveryPerAddressAndUsername,
          },
  };
}

/** A name that the local certificate covers, for whoever wants to open the address. */
function urlHost(host: string): string {
  if (host === "0.0.0.0" || host === "::" || host === "127.0.0.1") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
