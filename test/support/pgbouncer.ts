import { chmod, mkdtemp, realpath, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { readyComponent } from "./components.ts";
import { findFreePort } from "./free-port.ts";
import { superviseProcess } from "./supervised-process.ts";

/** A PgBouncer on loopback in front of one database. */
export interface PgBouncer {
  readonly url: string;
  stop(): Promise<void>;
}

export type PoolMode = "transaction" | "session";

const readinessChecks = 400;
// PgBouncer refuses to run as root.
const asNobody = process.getuid?.() === 0 ? ["-u", "nobody"] : [];

/** With default settings but for the pool mode, and with fewer server connections than clients. */
export async function startPgBouncer(databaseUrl: string, mode: PoolMode): Promise<PgBouncer> {
  const { hostname, port, username } = new URL(databaseUrl);
  const folder = await realpath(await mkdtemp(join(tmpdir(), "ironlease-pgbouncer-")));
  const { programs, environment } = await readyComponent("pgbouncer");
  const ownPort = await findFreePort();
  const settings = join(folder, "pgbouncer.ini");
  await writeFile(
    settings,
    [
      "[databases]",
      `* = host=${hostname} port=${port} user=${username}`,
      "[pgbouncer]",
      ...["listen_addr = 127.0.0.1", `listen_port = ${ownPort}`, "unix_socket_dir ="],
      ...["auth_type = any", `pool_mode = ${mode}`],
      `default_pool_size = ${mode === "transaction" ? 3 : 20}`,
    ].join("\n"),
  );
  await chmod(folder, 0o755);
  const daemon = superviseProcess({
    folder,
    environment,
    program: programs["pgbouncer"] ?? "",
    arguments: [...asNobody, settings],
  });
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${ownPort}`;
  for (let check = 0; ; check += 1) {
    if (await answers(url.href)) break;
    if (check === readinessChecks || !daemon.isRunning()) {
      throw new Error(`PgBouncer did not start:\n${await daemon.remove()}`);
    }
    await delay(25);
  }
  daemon.unref();
  return { url: url.href, stop: async () => void (await daemon.remove()) };
}

async function answers(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
