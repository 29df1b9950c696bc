import { ConnectionError, isError, type KeyClient, type ReadServerAnswer } from "@ironlease/client";
import type { Context } from "#context.ts";
import { CommandFailure, usageFailure } from "#failures/failure.ts";
import { counted } from "#output/formats.ts";

const everyMs = 5_000;

export const waitOption = {
  for: {
    value: "SECONDS",
    meaning: "Stop waiting after this many seconds, with exit code 15. Default: 3600.",
  },
} as const;

const usualSeconds = "3600";

export function readSeconds(text = usualSeconds): number {
  if (!/^\d{1,9}$/.test(text)) throw usageFailure("--for must be a whole number of seconds.");
  return Number(text);
}

interface Wait {
  readonly state: ReadServerAnswer["state"];
  readonly seconds: number;
}

/** Waits until every server is in the state. Says on standard error what changes. */
export async function waitForServers(
  context: Context,
  client: Pick<KeyClient, "readServer">,
  ids: readonly string[],
  { state, seconds }: Wait,
): Promise<readonly ReadServerAnswer[]> {
  const seen = new Map<string, ReadServerAnswer>();
  let leftMs = seconds * 1_000;
  for (;;) {
    const pending = ids.filter((id) => seen.get(id)?.state !== state);
    for (const id of pending) {
      const server = await read(context, client, id, seen.size > 0);
      if (server === undefined) continue;
      if (server.state === "TERMINATED") throw ended(id);
      if (seen.get(id)?.state !== server.state) {
        const addresses = server.assignments.map(({ address }) => address);
        context.note([id, server.state, ...addresses].join("  "));
      }
      seen.set(id, server);
    }
    const servers = ids.flatMap((id) => seen.get(id) ?? []);
    const left = ids.filter((id) => seen.get(id)?.state !== state);
    if (left.length === 0) return servers;
    if (leftMs <= 0) throw notYet(left, state, seconds);
    const waitMs = Math.min(everyMs, leftMs);
    await context.io.wait(waitMs);
    leftMs -= waitMs;
  }
}

/** Undefined if the service did not respond: waiting goes on through an outage. */
async function read(
  context: Context,
  client: Pick<KeyClient, "readServer">,
  id: string,
  isWaiting: boolean,
): Promise<ReadServerAnswer | undefined> {
  try {
    return await client.readServer({ id }, context.calling);
  } catch (error) {
    if (isWaiting && isError(error, "readServer", "not_found")) throw ended(id);
    if (!isWaiting || !(error instanceof ConnectionError)) throw error;
    context.note("The service does not respond. Still waiting.");
    return undefined;
  }
}

function notYet(ids: readonly string[], state: string, seconds: number): CommandFailure {
  return new CommandFailure({
    exit: "notYet",
    code: "not_yet",
    message: `Not ${state} after ${counted(seconds, "second")}: ${ids.join(", ")}. Nothing is lost by waiting longer.`,
    advice: ids.map(
      (id) => `ironlease server wait ${id}${state === "ACTIVE" ? "" : ` --state ${state}`}`,
    ),
  });
}

function ended(id: string): CommandFailure {
  return new CommandFailure({
    exit: "ended",
    code: "server_ended",
    message: `${id} was cancelled or terminated.`,
    advice: ["ironlease server list --past", "ironlease message list"],
  });
}
