import pg, { DatabaseError, type ClientConfig } from "pg";
import { refuseStandby, type Primary } from "./primary.ts";

/** What connections to this server may do. */
export interface SessionRules {
  /**
   * A pooler such as PgBouncer stands in between. It may run each transaction on another server connection, so nothing
   * that belongs to a session, such as a prepared statement, outlives a transaction.
   */
  readonly isPooled: boolean;
  /** The settings that the connection may start with. */
  readonly startup: Pick<ClientConfig, "statement_timeout">;
}

/** PgBouncer's answer to a setting that it does not track. */
function isRefusedSetting(error: unknown): boolean {
  return error instanceof DatabaseError && error.message.includes("unsupported startup parameter");
}

/** Connects once, checks the server's durability settings and learns how its sessions work. */
export async function learnSession(
  primary: Primary,
  connection: ClientConfig,
  statementTimeoutMs: number,
): Promise<SessionRules> {
  const timed = { statement_timeout: statementTimeoutMs };
  await primary.locate();
  try {
    return { isPooled: await inspect(primary, { ...connection, ...timed }), startup: timed };
  } catch (error) {
    if (!isRefusedSetting(error)) throw error;
    return { isPooled: await inspect(primary, connection), startup: {} };
  }
}

async function inspect(primary: Primary, config: ClientConfig): Promise<boolean> {
  const client = new pg.Client({ ...config, connectionString: primary.url });
  client.on("error", () => {});
  try {
    await client.connect();
    if (primary.hasChoice) await refuseStandby(client);
    await refuseUnsafeDurability(client);
    return await isPooled(client);
  } finally {
    client.end().catch(() => {});
  }
}

/** A pooler tells its clients a process id of its own. */
export async function isPooled(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  const { processID } = client as pg.Client & { processID: number | null };
  return rows[0]?.pid !== processID;
}

async function refuseUnsafeDurability(client: pg.Client): Promise<void> {
  // Distributed engines that speak PostgreSQL's protocol may lack a setting; then it is null, not off.
  const { rows } = await client.query<Record<string, string | null>>(
    `select current_setting('fsync', true) as fsync,
            current_setting('synchronous_commit', true) as synchronous_commit`,
  );
  for (const [setting, value] of Object.entries(rows[0] ?? {})) {
    if (value === "off") {
      throw new Error(
        `PostgreSQL runs with ${setting} = off, so an acknowledged order could be lost. Switch it on.`,
      );
    }
  }
}
