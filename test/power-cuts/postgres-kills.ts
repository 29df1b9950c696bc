import type { Db } from "#server/ports/db.ts";
import { startIronleased, temporaryFolder, type Daemon } from "#test/daemon.ts";
import { codeOf } from "#test/https-client.ts";
import { noActionLimits } from "#test/no-action-limits.ts";
import { openAt } from "#test/open-at.ts";
import { startOwnPostgres, type OwnPostgres } from "#test/postgres-server.ts";
import { databaseUrl, runStatement } from "#test/template-database.ts";
import { killUnderLoad, type Kill, type KillOptions } from "./kills.ts";
import { operatorPassword } from "./load-operator.ts";

/** Kills PostgreSQL while the service keeps running. */
export async function killPostgres(options: KillOptions): Promise<readonly Kill[]> {
  const server = await startOwnPostgres();
  let [daemon, db]: [Daemon?, Db?] = [];
  try {
    await runStatement(server.url, "create database power_cuts");
    const url = databaseUrl(server.url, "power_cuts");
    daemon = await startIronleased("preview", {
      IRONLEASE_DATA: temporaryFolder(),
      IRONLEASE_DATABASE_URL: url,
      IRONLEASE_AUTH_LIMITS: "off",
      ...noActionLimits,
      IRONLEASE_OPERATOR_PASSWORD: operatorPassword,
    });
    db = await openAt("postgres", url);
    const [service, kill] = [daemon, () => killAndStart(server, service)];
    const log = () => errorsIn(service.output());
    return await killUnderLoad({ service, db, kill, mayDisconnect: false, log }, options);
  } finally {
    await daemon?.stop();
    await db?.close();
    await server.stop();
  }
}

const shownErrors = 5;

/** The latest log lines of level error. Outages log warnings, which would hide them. */
export function errorsIn(output: string): readonly string[] {
  return output
    .split("\n")
    .filter((line) => line.startsWith('{"level":50'))
    .slice(-shownErrors);
}

async function killAndStart(server: OwnPostgres, daemon: Daemon): Promise<readonly string[]> {
  await server.kill();
  const health = await daemon.send("GET", "/api/health");
  await server.resume();
  if (health.status === 503 && codeOf(health) === "service_unavailable") return [];
  return [`without a database, GET /api/health answered ${health.status} ${health.text}`];
}
