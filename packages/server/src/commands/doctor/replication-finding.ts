import { inspectDatabaseServer } from "#composition/inspect.ts";
import type { Config } from "#config.ts";
import type { Finding } from "./finding.ts";

type Inspected = NonNullable<Awaited<ReturnType<typeof inspectDatabaseServer>>>;

const subject = "replication";

/** Whether PostgreSQL accepts a commit, and which standbys would survive the loss of the server. */
export async function replicationFinding(config: Config): Promise<Finding | undefined> {
  const server = await inspectDatabaseServer(config);
  if (server === undefined) return undefined;
  if (server.isStandby) {
    const problem =
      "the server is a read-only standby: name the primary, or all servers with target_session_attrs=read-write";
    return { subject, problem };
  }
  const { commit } = server;
  if (commit !== undefined && !commit.isDone) {
    return { subject, problem: `a test commit took longer than ${commit.ms} ms: ${why(server)}` };
  }
  const facts = [
    ...(commit === undefined ? [] : [`a test commit took ${commit.ms} ms`]),
    `synchronous_commit = ${server.synchronousCommit ?? "unknown"}`,
    standbysOf(server),
    ...(server.isPooled ? ["connections go through a pooler, so statements are not prepared"] : []),
  ];
  return { subject, detail: facts.join("; ") };
}

function why({ synchronousStandbyNames: names, standbys }: Inspected): string {
  if (names === null || names === "") return "check the server's disk and load";
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
