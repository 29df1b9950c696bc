import { inspectDatabaseServer } from "#composition/inspect.ts";
import type { Config } from "#config.ts";
import type { Finding } from "./finding.ts";

type Inspected = NonNullable<Awaited<ReturnType<typeof inspectDatabaseServer>>>;

/** About the PostgreSQL server. None with SQLite. */
export async function databaseServerFindings(config: Config): Promise<readonly Finding[]> {
  const server = await inspectDatabaseServer(config);
  if (server === undefined) return [];
  return [replicationFinding(server), idleTransactionFinding(server, config)];
}

/** Whether PostgreSQL accepts a commit, and which standbys would survive the loss of the server. */
function replicationFinding(server: Inspected): Finding {
  const subject = "replication";
  if (server.isStandby) {
    const problem =
      "the server is a read-only standby: name the primary, or all servers with target_session_attrs=read-write";
    return { subject, problem };
  }
  const { commit } = server;
  if (commit !== undefined && !commit.isDone) {
    return { subject, problem: `a test commit took longer than ${commit.ms} ms: ${why(server)}` };
  }
  if (server.synchronousCommit === "local" && namesOf(server) !== "") {
    const problem = `synchronous_commit = local, so commits do not wait for ${namesOf(server)}, and a failover loses acknowledged changes: set it to on`;
    return { subject, problem };
  }
  const facts = [
    ...(commit === undefined ? [] : [`a test commit took ${commit.ms} ms`]),
    `synchronous_commit = ${server.synchronousCommit ?? "unknown"}`,
    standbysOf(server),
    ...(server.isPooled ? ["connections go through a pooler, so statements are not prepared"] : []),
  ];
  return { subject, detail: facts.join("; ") };
}

/** The service asks for the time limit on each connection. A pooler may refuse or ignore that. */
function idleTransactionFinding(server: Inspected, { databaseAnswerMs }: Config): Finding {
  const subject = "idle transactions";
  const { idleTransactionTimeout: timeout, role } = server;
  if (timeout === null) return { subject, detail: "this engine has no time limit for them" };
  if (timeout !== "0") return { subject, detail: `PostgreSQL ends them after ${timeout}` };
  const limit = `set idle_in_transaction_session_timeout = '${databaseAnswerMs / 1000}s'`;
  const note = `PostgreSQL never ends them: when a connection dies silently, its account's writes answer 503 until TCP gives up. The pooler does not pass the limit on, so run "alter role ${quoted(role)} ${limit}" and restart the pooler`;
  return { subject, note };
}

/** As an identifier in SQL. */
function quoted(role: string): string {
  return /^[a-z_][a-z0-9_]*$/.test(role) ? role : `"${role.replaceAll('"', '""')}"`;
}

/** The standbys that commits should wait for. */
function namesOf({ synchronousStandbyNames }: Inspected): string {
  return synchronousStandbyNames ?? "";
}

function why(server: Inspected): string {
  const { standbys } = server;
  const names = namesOf(server);
  if (names === "") return "check the server's disk and load";
  return standbys.some(({ syncState }) => syncState !== "async")
    ? `it waits for ${names}: check that standby's disk and load`
    : `it waits for ${names}, and no such standby is connected: start one`;
}

function standbysOf({ standbys }: Inspected): string {
  if (standbys.length === 0) return "no standby is connected";
  const named = standbys.map(({ name, state, syncState }) => {
    const known = [state, syncState].filter((word) => word !== null);
    return known.length === 0 ? name : `${name} (${known.join(", ")})`;
  });
  return `${standbys.length === 1 ? "standby" : "standbys"} ${named.join(", ")}`;
}
