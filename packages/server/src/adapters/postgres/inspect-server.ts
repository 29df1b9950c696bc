import { DatabaseError, type Client } from "pg";
import { translate } from "./connection.ts";
import { isReadOnly, Primary } from "./primary.ts";
import { connectTimed, isPooled } from "./session.ts";

export interface Standby {
  readonly name: string;
  /** Null if the role may not see it, which needs `pg_monitor`. */
  readonly state: string | null;
  readonly syncState: string | null;
}

/** What `doctor` tells about a PostgreSQL server. */
export interface InspectedServer {
  readonly isStandby: boolean;
  readonly isPooled: boolean;
  /** Null on an engine without the setting. */
  readonly synchronousCommit: string | null;
  readonly synchronousStandbyNames: string | null;
  readonly standbys: readonly Standby[];
  /** How long a connection of the service may leave a transaction idle, with its unit. "0" is for ever. */
  readonly idleTransactionTimeout: string | null;
  readonly role: string;
  /** Undefined if the engine has no harmless statement to commit. */
  readonly commit: { readonly isDone: boolean; readonly ms: number } | undefined;
}

const undefinedTable = "42P01";
const undefinedFunction = "42883";
const maxStandbys = 20;

/** Asks the server, and commits a transaction that leaves no row: it only writes to the log that standbys receive. */
export async function inspectServer(url: string, answerMs: number): Promise<InspectedServer> {
  const config = { connectionTimeoutMillis: Math.min(5_000, answerMs), query_timeout: answerMs };
  const primary = new Primary(url, config);
  await primary.locate();
  const { client } = await connectTimed(primary.url, config, answerMs).catch((error: unknown) => {
    throw translate(error);
  });
  try {
    const isStandby = await isReadOnly(client);
    const { rows } = await client.query<Record<string, string | null>>(
      `select current_setting('synchronous_commit', true) as commits,
              current_setting('synchronous_standby_names', true) as names,
              current_setting('idle_in_transaction_session_timeout', true) as idle,
              current_user as role`,
    );
    const inspected = {
      isStandby,
      isPooled: await isPooled(client),
      synchronousCommit: rows[0]?.["commits"] ?? null,
      synchronousStandbyNames: rows[0]?.["names"] ?? null,
      standbys: await standbysOf(client),
      idleTransactionTimeout: rows[0]?.["idle"] ?? null,
      role: rows[0]?.["role"] ?? "",
    };
    // Last, because a commit that hangs ends the connection.
    return { ...inspected, commit: isStandby ? undefined : await testCommit(client) };
  } catch (error) {
    throw translate(error);
  } finally {
    client.connection.stream.destroy();
  }
}

async function standbysOf(client: Client): Promise<readonly Standby[]> {
  try {
    const { rows } = await client.query<Standby>(
      `select coalesce(application_name, 'unknown') as name, state, sync_state as "syncState"
         from pg_stat_replication order by 1 limit ${maxStandbys}`,
    );
    return rows;
  } catch (error) {
    if (error instanceof DatabaseError && error.code === undefinedTable) return [];
    throw error;
  }
}

async function testCommit(client: Client): Promise<InspectedServer["commit"]> {
  try {
    await client.query("begin");
    await client.query("select pg_logical_emit_message(true, 'ironlease', 'doctor')");
  } catch (error) {
    if (error instanceof DatabaseError && error.code === undefinedFunction) return undefined;
    throw error;
  }
  const began = performance.now();
  const isDone = await client.query("commit").then(
    () => true,
    (error: unknown) => {
      if (error instanceof DatabaseError) throw error;
      return false;
    },
  );
  return { isDone, ms: Math.round(performance.now() - began) };
}
