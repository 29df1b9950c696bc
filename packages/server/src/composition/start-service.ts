import { Server as TlsServer } from "node:tls";
import { systemClock } from "#adapters/system/clock.ts";
import { logUnlessOutage, outageLog } from "#adapters/system/outage-log.ts";
import { createMetrics } from "#adapters/system/metrics.ts";
import { loadTls, type LoadedTls } from "#adapters/system/tls.ts";
import { createCore, type Overrides } from "./create-core.ts";
import { openDatabase } from "./open-database.ts";
import type { Config } from "#config.ts";
import { startSettlementWatch } from "#features/deposits/settlement-timer.ts";
import { resealSecondFactors } from "#features/operators/reseal-second-factors.ts";
import { sweep } from "#features/housekeeping/sweep.ts";
import { hasRenewals } from "#features/renewals/renewal-counts.ts";
import { startRenewals } from "#features/renewals/renewal-timer.ts";
import { tlsRules } from "#http/wire/tls-rules.ts";
import type { Core } from "#kernel/core.ts";
import { startIntervalJob } from "#kernel/concurrency/interval-job.ts";
import { openListeners, type OpenListener } from "./listeners.ts";
import type { Phase } from "#http/probes.ts";
import { migrations } from "#migrations/index.ts";
import type { Log } from "#ports/log.ts";
import type { Metrics, PassName } from "#ports/metrics.ts";
import { version } from "#version.ts";

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

/** Puts the service together and starts it. */
export async function startService(
  config: Config,
  log: Log,
  overrides: Overrides = {},
  { prepare, beforeReady }: StartSteps = {},
): Promise<Service> {
  const metrics = createMetrics({
    version,
    node: process.versions.node,
    engine: config.databaseUrl === undefined ? "sqlite" : "postgres",
  });
  const { clock = systemClock } = overrides;
  const db = await openDatabase(config, log, {
    onTrouble: (trouble) => metrics.databaseTrouble(trouble),
    onOutcome: outageLog(log, clock),
    speed: overrides.speed,
  });
  try {
    const applied = await db.migrate(migrations, clock.now());
    if (applied.length > 0) log.info({ applied }, "migrated the database");
    const core = createCore(config, db, overrides, (error) =>
      logUnlessOutage(log, error, "the last use of a session or key could not be stored"),
    );
    if (config.operatorListen !== undefined) await sealSecondFactors(core, log);
    await prepare?.(core);
    return await listen(config, core, log, metrics, { beforeReady, speed: overrides.speed });
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Where nobody signs in to the desk there is nothing to open, and no key is needed. */
async function sealSecondFactors(core: Core, log: Log): Promise<void> {
  const resealed = await resealSecondFactors(core);
  if (resealed > 0) log.info({ resealed }, "sealed second factors with the present key");
}

interface ListenOptions {
  readonly beforeReady: StartSteps["beforeReady"];
  readonly speed: Overrides["speed"];
}

async function listen(
  config: Config,
  core: Core,
  log: Log,
  metrics: Metrics,
  { beforeReady, speed }: ListenOptions,
): Promise<Service> {
  let phase: Phase = "starting";
  const tls = await loadTls(config.tls, config.data, core.clock.now());
  const pem = tls && { key: tls.keyPem, cert: tls.certificatePem };
  const { account, operator } = await openListeners(
    config,
    core,
    log,
    pem,
    {
      metrics,
      phase: () => phase,
    },
    speed,
  );
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
    startIntervalJob(
      async () => {
        ended("sweep", 0, { ...(await sweep(core)) });
        return [];
      },
      sweepEveryMs,
      report("sweep", "sweeping failed"),
    ),
    startIntervalJob(
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
  log: Log,
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
