import { existsSync } from "node:fs";
import { join } from "node:path";
import { Server as TlsServer } from "node:tls";
import type { Logger } from "pino";
import { isPrivateLink, notPrivate } from "./adapters/postgres/private-link.ts";
import { createSimulatedRates } from "./adapters/settlement-simulated/simulated-rates.ts";
import { createSimulatedSettlement } from "./adapters/settlement-simulated/simulated-settlement.ts";
import { inspectSqlite, openSqlite } from "./adapters/sqlite/open-sqlite.ts";
import { createArgon2 } from "./adapters/system/argon2.ts";
import { systemClock } from "./adapters/system/clock.ts";
import { makeDataFolder } from "./adapters/system/data-folder.ts";
import { createLog } from "./adapters/system/log.ts";
import { logUnlessOutage, outageLog } from "./adapters/system/outage-log.ts";
import { createMetrics } from "./adapters/system/metrics.ts";
import { keyPlace, readKeys } from "./adapters/system/key-file.ts";
import { systemRandom } from "./adapters/system/random.ts";
import { createSealing } from "./adapters/system/sealing.ts";
import { loadTls, type LoadedTls } from "./adapters/system/tls.ts";
import type { Config } from "./config.ts";
import { startSettlementWatch } from "./features/deposits/settlement-timer.ts";
import { resealSecondFactors } from "./features/operators/reseal-second-factors.ts";
import { sweep } from "./features/housekeeping/sweep.ts";
import { hasRenewals } from "./features/renewals/renewal-counts.ts";
import { startRenewals } from "./features/renewals/renewal-timer.ts";
import { tlsRules } from "./http/tls-rules.ts";
import { defaultLeaseMs, type Core, type Rules } from "./kernel/core.ts";
import { createIds } from "./kernel/ids.ts";
import { createLastUse } from "./kernel/last-use.ts";
import { startRepeating } from "./kernel/repeating-pass.ts";
import { openListeners, type OpenListener } from "./listeners.ts";
import type { Phase } from "./http/probes.ts";
import { migrations } from "./migrations/index.ts";
import type { Clock } from "./ports/clock.ts";
import type { Db, InspectedDb, OnOutcome, OnTrouble } from "./ports/db.ts";
import type { Metrics, PassName } from "./ports/metrics.ts";
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
  /** The same for operators; undefined when their listener is off. */
  readonly operatorUrl: string | undefined;
  readonly tls: LoadedTls | undefined;
  readonly core: Core;
  /** Stops accepting, lets every accepted request finish, then lets go of the database. */
  close(): Promise<void>;
}

/** Renewal is looked at this often; a certificate is renewed a month before its end. */
const tlsCheckMs = 12 * 3_600_000;

/** Lapsed sessions, limits and leases are cleared away this often. */
const sweepEveryMs = 60_000;

/** What a start does besides, and when. */
export interface StartSteps {
  /** May fill an empty database before any client can see it. */
  readonly prepare?: (core: Core) => Promise<void>;
  /** Runs once it listens, while `/readyz` still says that the service is starting. */
  readonly beforeReady?: (service: Service) => Promise<void>;
}

/** Puts the service together and starts it. The only place that names concrete adapters. */
export async function startService(
  config: Config,
  log: Logger,
  overrides: Overrides = {},
  { prepare, beforeReady }: StartSteps = {},
): Promise<Service> {
  const metrics = createMetrics({
    version,
    node: process.versions.node,
    engine: config.databaseUrl === undefined ? "sqlite" : "postgres",
  });
  const { clock = systemClock } = overrides;
  const db = await openDatabase(
    config,
    log,
    (trouble) => metrics.databaseTrouble(trouble),
    outageLog(log, clock),
  );
  try {
    const applied = await db.migrate(migrations, clock.now());
    if (applied.length > 0) log.info({ applied }, "migrated the database");
    const core = createCore(config, db, overrides, (error) =>
      logUnlessOutage(log, error, "the last use of a session or key could not be stored"),
    );
    if (config.operatorListen !== undefined) await sealSecondFactors(core, log);
    await prepare?.(core);
    return await listen(config, core, log, metrics, beforeReady);
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Where nobody signs in to the desk there is nothing to open, and no key is needed. */
async function sealSecondFactors(core: Core, log: Logger): Promise<void> {
  const resealed = await resealSecondFactors(core);
  if (resealed > 0) log.info({ resealed }, "sealed second factors with the present key");
}

/** What use cases are handed, over a database that has its tables. */
export function createCore(
  config: Config,
  db: Db,
  overrides: Overrides = {},
  onUnstoredUse?: (error: unknown) => void,
): Core {
  const { clock = systemClock, random = systemRandom } = overrides;
  const isSimulated = config.settlement === "simulated";
  return {
    db,
    clock,
    random,
    ids: createIds(clock, random),
    passwords: overrides.passwords ?? createArgon2(),
    sealing: createSealing(() => readKeys(keyPlace(config.secretFile, config.data))),
    settlement: isSimulated ? createSimulatedSettlement(db, random) : undefined,
    rates: isSimulated ? createSimulatedRates(clock) : undefined,
    lastUse: createLastUse(onUnstoredUse),
    rules: rulesOf(config),
  };
}

/** SQLite in the data folder unless a PostgreSQL address is configured. */
export async function openDatabase(
  config: Config,
  log: Logger,
  onTrouble?: OnTrouble,
  onOutcome?: OnOutcome,
): Promise<Db> {
  if (config.databaseUrl !== undefined) {
    if (!isPrivateLink(config.databaseUrl)) log.warn(notPrivate);
    // Loaded only where it is used: the driver takes memory and time to start.
    const { openPostgres } = await import("./adapters/postgres/open-postgres.ts");
    return openPostgres({
      url: config.databaseUrl,
      poolSize: config.databasePool,
      answerMs: config.databaseAnswer,
      onIdleError: ({ message }) =>
        log.debug({ reason: message }, "an idle database connection was lost"),
      onTrouble,
      onOutcome,
    });
  }
  await makeDataFolder(config.data);
  return openSqlite(join(config.data, "ironlease.db"), onTrouble, onOutcome);
}

/** The configured database, opened without changing it. Undefined: the first start will make it. */
export async function inspectDatabase(config: Config): Promise<InspectedDb | undefined> {
  if (config.databaseUrl !== undefined) return openDatabase(config, createLog("silent"));
  const path = join(config.data, "ironlease.db");
  return existsSync(path) ? inspectSqlite(path) : undefined;
}

async function listen(
  config: Config,
  core: Core,
  log: Logger,
  metrics: Metrics,
  beforeReady: StartSteps["beforeReady"],
): Promise<Service> {
  let phase: Phase = "starting";
  const tls = await loadTls(config.tls, config.data, core.clock.now());
  const pem = tls && { key: tls.keyPem, cert: tls.certificatePem };
  const { account, operator } = await openListeners(config, core, log, pem, {
    metrics,
    phase: () => phase,
  });
  const listeners = operator === undefined ? [account] : [account, operator];
  const report = (pass: PassName, what: string) => (error: unknown) => {
    metrics.passFailed(pass);
    logUnlessOutage(log, error, what);
  };
  const ended = (pass: PassName, failures: number, done?: Readonly<Record<string, number>>) =>
    metrics.passEnded(pass, core.clock.now(), failures === 0, done);
  const passes = [
    startSettlementWatch(
      core,
      report("settlement", "settlement could not be watched"),
      config.settlementEvery,
      ({ failures, ...done }) => ended("settlement", failures.length, done),
    ),
    startRenewals(core, config.renewalsEvery, {
      onPass: (counts, failures) => {
        ended("renewals", failures, { ...counts });
        if (hasRenewals(counts)) log.info({ renewals: counts }, "renewed what was due");
      },
      onFailure: report("renewals", "a renewal failed"),
    }),
    startRepeating(
      async () => {
        ended("sweep", 0, { ...(await sweep(core)) });
        return [];
      },
      sweepEveryMs,
      report("sweep", "sweeping failed"),
    ),
    startRepeating(
      async () => {
        await renewTls(config, core, log, listeners);
        ended("certificate", 0);
        return [];
      },
      tlsCheckMs,
      report("certificate", "the certificate could not be renewed"),
    ),
  ];

  const stop = async () => {
    phase = "stopping";
    const stopped = Promise.all(passes.map((pass) => pass.stop()));
    const overdue = setTimeout(
      () => listeners.forEach(({ server }) => server.closeAllConnections()),
      config.drain,
    );
    // Customers first: whoever watches sees at the other listener that we are stopping.
    for (const listener of listeners) await listener.drain();
    clearTimeout(overdue);
    await stopped;
  };
  const service: Service = {
    url: account.url,
    operatorUrl: operator?.url,
    tls,
    core,
    close: async () => {
      await stop();
      await core.db.close();
    },
  };
  try {
    await beforeReady?.(service);
  } catch (error) {
    await stop();
    throw error;
  }
  phase = "ready";
  return service;
}

async function renewTls(
  config: Config,
  core: Core,
  log: Logger,
  listeners: readonly OpenListener[],
): Promise<void> {
  const tls = await loadTls(config.tls, config.data, core.clock.now());
  if (tls === undefined) return;
  for (const { server } of listeners) {
    if (server instanceof TlsServer)
      server.setSecureContext({ ...tlsRules, key: tls.keyPem, cert: tls.certificatePem });
  }
  log.debug({ fingerprint: tls.fingerprint256 }, "looked at the certificate");
}

function rulesOf(config: Config): Rules {
  const { signInPerAddressAndUsername, signInPerAddress } = config;
  const { registrationPerAddress, secondFactorPerOperator } = config;
  const { recoveryPerAddressAndUsername, recoveryPerAddress } = config;
  return {
    sessionIdleMs: config.sessionIdle,
    sessionTotalMs: config.sessionTotal,
    graceMs: config.grace,
    leaseMs: defaultLeaseMs,
    twoOperatorsFromCents: config.twoOperatorsFrom,
    openActions: {
      perServer: config.openActionsPerServer,
      perAccount: config.openActionsPerAccount,
    },
    needsSecondFactor: config.mode === "serve",
    rateLimits:
      config.authLimits === "off"
        ? undefined
        : {
            signInPerAddressAndUsername,
            signInPerAddress,
            registrationPerAddress,
            recoveryPerAddressAndUsername,
            recoveryPerAddress,
            secondFactorPerOperator,
          },
  };
}
