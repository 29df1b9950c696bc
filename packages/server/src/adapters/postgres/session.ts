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
  readonly startup: StartupSettings;
}

export type StartupSettings = Pick<
  ClientConfig,
  "statement_timeout" | "idle_in_transaction_session_timeout"
>;

/** The server's own time limits, for connections whose statements may take so long. */
function startupSettings(answerMs: number): StartupSettings {
  return {
    // A little shorter than the driver's limit, which saves the connection.
    statement_timeout: Math.ceil(answerMs * 0.9),
    // Otherwise the transaction of a client that vanished keeps its locks until TCP notices.
    idle_in_transaction_session_timeout: answerMs,
  };
}

/** PgBouncer refuses a setting that it does not track, and names it. */
const refusedSetting = /unsupported startup parameter/;

/** Connects with the server's time limits, or without those that a pooler refuses. */
export async function connectTimed(
  url: string,
  config: ClientConfig,
  answerMs: number,
): Promise<{ readonly client: pg.Client; readonly startup: StartupSettings }> {
  let startup = startupSettings(answerMs);
  for (;;) {
    const client = new pg.Client({ ...config, ...startup, connectionString: url });
    client.on("error", () => {});
    try {
      await client.connect();
      return { client, startup };
    } catch (error) {
      client.connection.stream.destroy();
      const accepted = without(startup, error);
      if (accepted === undefined) throw error;
      startup = accepted;
    }
  }
}

/** The settings that the error does not refuse. Undefined if it is about something else. */
function without(startup: StartupSettings, error: unknown): StartupSettings | undefined {
  if (!(error instanceof DatabaseError) || !refusedSetting.test(error.message)) return undefined;
  const all = Object.entries(startup);
  const accepted = all.filter(([name]) => !error.message.includes(name));
  return accepted.length < all.length ? Object.fromEntries(accepted) : undefined;
}

/** Connects once, checks the server's durability settings and learns how its sessions work. */
export async function learnSession(
  primary: Primary,
  connection: ClientConfig,
  answerMs: number,
): Promise<SessionRules> {
  await primary.locate();
  const { client, startup } = await connectTimed(primary.url, connection, answerMs);
  try {
    if (primary.hasChoice) await refuseStandby(client);
    await refuseUnsafeDurability(client);
    return { isPooled: await isPooled(client), startup };
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
