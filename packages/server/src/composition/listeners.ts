import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { accountOperations, operatorOperations } from "@ironlease/contract";
import type { Config } from "#config.ts";
import type { Listen } from "#setting-readers.ts";
import { accountAuthentication, operatorAuthentication } from "#http/admission/authentication.ts";
import { clientAddresses } from "#http/wire/client-address.ts";
import { accountCookies, operatorCookies } from "#http/admission/cookies.ts";
import { brandPages } from "#http/brand-pages.ts";
import { consoleFonts, consolePages, type PageSettings } from "#http/console-pages.ts";
import { docsPages } from "#http/docs-pages.ts";
import { createHandlers } from "#http/handlers/index.ts";
import { createOperatorHandlers } from "#http/handlers/operator/index.ts";
import { probePages, type Phase } from "#http/probes.ts";
import { anyOrigin, configuredOrigins, type Origins } from "#http/admission/origins.ts";
import { createServer, type ListenerServer, type ServerOptions } from "#http/server.ts";
import type { Core } from "#kernel/core.ts";
import { migrations } from "#migrations/index.ts";
import { NewerDatabase, type Db } from "#ports/db.ts";
import type { Log } from "#ports/log.ts";
import type { ListenerName, Metrics } from "#ports/metrics.ts";
import { version } from "#version.ts";
import { brandOf } from "./brand-file.ts";
import { everyWrapper, type Speed } from "./speed.ts";

/** The output of `npm run build`. The server serves these files and imports none of their code. */
const consoleFolder = fileURLToPath(new URL("../../../console/dist", import.meta.url));

/** An open listener, and its URL for clients on this machine. */
export interface OpenListener extends ListenerServer {
  readonly name: ListenerName;
  readonly url: string;
}

type ListenerSetup = Pick<
  ServerOptions,
  | "operations"
  | "handlers"
  | "pages"
  | "cookies"
  | "authentication"
  | "clientAddress"
  | "responseCache"
> & {
  readonly name: ListenerName;
  readonly listen: Listen;
  readonly origin: readonly string[] | undefined;
};

/** Undefined without TLS. */
export type ListenerCertificates = Readonly<Record<ListenerName, ServerOptions["tls"]>>;

/** What the probes report besides the database. */
export interface Probed {
  readonly metrics: Metrics;
  readonly phase: () => Phase;
}

/** Opens the customers' listener, and the operators' unless it is off. */
export async function openListeners(
  config: Config,
  core: Core,
  log: Log,
  certificates: ListenerCertificates,
  probed: Probed,
  { responseCache }: Speed = everyWrapper,
): Promise<{ account: OpenListener; operator: OpenListener | undefined }> {
  const clientAddress = clientAddresses(config.trustProxy ?? []);
  const open = (setup: Omit<ListenerSetup, "responseCache" | "clientAddress">) =>
    openListener(
      config,
      core,
      { ...setup, clientAddress, responseCache },
      log,
      certificates[setup.name],
      probed.metrics,
    );
  const brand = brandOf(config);
  const fonts = consoleFonts(consoleFolder);
  const account = await open({
    name: "account",
    listen: config.listen,
    origin: config.origin,
    operations: accountOperations,
    handlers: createHandlers(core, version),
    pages: [
      ...brandPages(brand),
      ...docsPages(version, "account", accountOperations, brand, fonts),
      ...consolePages(consoleFolder, "account", brand, pageSettings(config)),
    ],
    cookies: accountCookies,
    authentication: accountAuthentication(core, clientAddress),
  });
  const { operatorListen } = config;
  if (operatorListen === undefined) return { account, operator: undefined };
  try {
    const operator = await open({
      name: "operator",
      listen: operatorListen,
      origin: config.operatorOrigin,
      operations: operatorOperations,
      handlers: createOperatorHandlers(core, version),
      pages: [
        ...probePages({ core, pendingMigrations: () => missingMigrations(core.db), ...probed }),
        ...brandPages(brand),
        ...docsPages(version, "operator", operatorOperations, brand, fonts),
        ...consolePages(consoleFolder, "desk", brand),
      ],
      cookies: operatorCookies,
      authentication: operatorAuthentication(core, clientAddress),
    });
    return { account, operator };
  } catch (error) {
    await account.drain();
    throw error;
  }
}

function pageSettings({ explorers }: Config): PageSettings {
  return explorers === undefined ? {} : { explorers };
}

/** None if a newer version has migrated the database: during a rolling upgrade, this version keeps running. */
async function missingMigrations(db: Db): Promise<readonly string[]> {
  try {
    return await db.pending(migrations);
  } catch (error) {
    if (error instanceof NewerDatabase) return [];
    throw error;
  }
}

async function openListener(
  config: Config,
  core: Core,
  { name, listen, origin, ...setup }: ListenerSetup,
  log: Log,
  tls: ServerOptions["tls"],
  metrics: Metrics,
): Promise<OpenListener> {
  let { port } = listen;
  const listener = createServer({
    ...setup,
    core,
    origins: originsOf(config, listen, origin, () => port),
    log,
    requests: metrics.requests(name, Object.keys(setup.operations)),
    tls,
    hsts: config.hsts,
    connectionLimits: {
      maxConnections: config.connections,
      requestTimeoutMs: config.requestTimeoutMs,
      idleTimeoutMs: config.idleTimeoutMs,
    },
  });
  await listener.listen(listen.host, listen.port);
  port = (listener.server.address() as AddressInfo).port;
  const scheme = tls === undefined ? "http" : "https";
  return { ...listener, name, url: `${scheme}://${urlHost(listen.host)}:${port}` };
}

function originsOf(
  config: Config,
  listen: Listen,
  origin: readonly string[] | undefined,
  port: () => number,
): Origins {
  if (origin !== undefined) return configuredOrigins(origin);
  // Without TLS here, a proxy may terminate it (https), or the browser runs on this machine (http).
  const schemes = config.tls.kind === "off" ? (["https", "http"] as const) : (["https"] as const);
  if (!listen.isLoopback) return anyOrigin(schemes);
  const names = ["localhost", "127.0.0.1", "[::1]"];
  let origins: Origins | undefined;
  return {
    // The port is known only after listening.
    forHost: (host) => {
      origins ??= configuredOrigins(
        schemes.flatMap((scheme) => names.map((name) => `${scheme}://${name}:${port()}`)),
      );
      return origins.forHost(host);
    },
  };
}

/** A host name that the local certificate covers. */
function urlHost(host: string): string {
  if (host === "0.0.0.0" || host === "::" || host === "127.0.0.1") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}
