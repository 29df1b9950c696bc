import { systemClock } from "#adapters/system/clock.ts";
import { logUnlessOutage, outageLog } from "#adapters/system/outage-log.ts";
import { createMetrics } from "#adapters/system/metrics.ts";
import type { LoadedTls } from "#adapters/system/tls.ts";
import type { Config } from "#config.ts";
import { resealAccountFactors } from "#features/accounts/reseal-second-factors.ts";
import { resealControllers } from "#features/machines/reseal-controllers.ts";
import { resealSecondFactors } from "#features/operators/reseal-second-factors.ts";
import { resealWebhookSecrets } from "#features/webhooks/reseal-secrets.ts";
import type { Core } from "#kernel/core.ts";
import type { Resealed } from "#kernel/sealed-secrets.ts";
import { publishStatementKey } from "#kernel/statement-keys.ts";
import type { Phase } from "#http/probes.ts";
import { migrations } from "#migrations/index.ts";
import type { Log } from "#ports/log.ts";
import type { Metrics } from "#ports/metrics.ts";
import { version } from "#version.ts";
import { brandOf } from "./brand-file.ts";
import { startBackgroundJobs } from "./background-jobs.ts";
import { openCertificates } from "./certificates.ts";
import { createCore, type Overrides } from "./create-core.ts";
import { linkMailsTo } from "./create-mail.ts";
import { connectDns } from "./dns-file.ts";
import { openListeners } from "./listeners.ts";
import { openDatabase } from "./open-database.ts";
import { readSettlementFile } from "./settlement-file.ts";

export interface Service {
  /** The URL for clients on this machine. */
  readonly url: string;
  /** The operators' URL; undefined when their listener is off. */
  readonly operatorUrl: string | undefined;
  readonly tls: LoadedTls | undefined;
  readonly core: Core;
  /** Reads certificate files again now, instead of within seconds. */
  readonly reloadCertificate: () => void;
  /** Stops accepting requests, finishes the accepted ones, then closes the database. */
  close(): Promise<void>;
}

/** Extra steps of a start. */
export interface StartSteps {
  /** Runs before the listeners open, to fill an empty database. */
  readonly prepare?: (core: Core) => Promise<void>;
  /** Runs once the listeners are open, while `/readyz` still reports that the service is starting. */
  readonly beforeReady?: (service: Service) => Promise<void>;
}

/** Wires the service and starts it. */
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
  // Before the database is migrated, so that a wrong file changes nothing.
  if (typeof config.settlement === "object") readSettlementFile(config.settlement.file);
  if (config.dns !== undefined) connectDns(config.dns);
  brandOf(config);
  const db = await openDatabase(config, log, {
    onTrouble: (trouble) => metrics.databaseTrouble(trouble),
    onOutcome: outageLog(log, clock),
    speed: overrides.speed,
  });
  try {
    const applied = await db.migrate(migrations, clock.now());
    if (applied.length > 0) log.info({ applied }, "migrated the database");
    const core = createCore(config, db, overrides, (error) =>
      logUnlessOutage(log, error, "storing the last use of a session or key failed"),
    );
    logSettlement(core, log);
    if (config.operatorListen !== undefined) await sealSecrets(core, log);
    logResealed(log, "customers' second factors", await resealAccountFactors(core));
    logResealed(log, "webhook secrets", await resealWebhookSecrets(core));
    await publishStatementKey(core);
    await prepare?.(core);
    return await listen(config, core, log, metrics, { beforeReady, speed: overrides.speed });
  } catch (error) {
    await db.close();
    throw error;
  }
}

/** Whether deposits are real money must never be a guess. */
function logSettlement({ settlement }: Core, log: Log): void {
  const networks = settlement?.chains.map(({ network }) => network) ?? [];
  log.info({ settlement: settlement?.mode ?? "none", networks }, "settlement");
}

/** Only instances with an operators' listener open these. */
async function sealSecrets(core: Core, log: Log): Promise<void> {
  const resealed = await resealSecondFactors(core);
  if (resealed > 0) log.info({ resealed }, "resealed second factors with the current key");
  logResealed(log, "controllers' passwords", await resealControllers(core));
}

/** A secret that cannot be opened does not stop the start: its owner can replace it. */
function logResealed(log: Log, what: string, { resealed, lost }: Resealed): void {
  if (resealed > 0) log.info({ resealed }, `resealed ${what} with the current key`);
  if (lost.length > 0) {
    const sample = lost.slice(0, 20);
    log.warn(
      { count: lost.length, sample },
      `${what} are sealed with a key that the key file lacks`,
    );
  }
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
  const certificates = await openCertificates(config, core, log, metrics);
  const { account, operator } = await openListeners(
    config,
    core,
    log,
    certificates.first,
    { metrics, phase: () => phase },
    speed,
  ).catch((error: unknown) => {
    certificates.close();
    throw error;
  });
  const listeners = operator === undefined ? [account] : [account, operator];
  const certificateJobs = certificates.startJobs(listeners);
  const jobCore = linkMailsTo(account.url, core, config);
  const jobs = [...startBackgroundJobs(config, jobCore, log, metrics), ...certificateJobs];

  const stop = async () => {
    phase = "stopping";
    const stopped = Promise.all(jobs.map((job) => job.stop()));
    const overdue = setTimeout(
      () => listeners.forEach(({ server }) => server.closeAllConnections()),
      config.drainMs,
    );
    // Customers first, so that probes on the operators' listener can report that the service is stopping.
    for (const listener of listeners) await listener.drain();
    clearTimeout(overdue);
    await stopped;
    certificates.close();
  };
  const service: Service = {
    url: account.url,
    operatorUrl: operator?.url,
    tls: certificates.account,
    core,
    reloadCertificate: () => certificateJobs.forEach((job) => job.wake()),
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
