import type { KeyClient } from "@ironlease/client";
import type { Context } from "#context.ts";
import { pickOne } from "./pick.ts";

export const serverArgument = {
  name: "server",
  meaning: "Host name or id of the server.",
} as const;

/** The id of a server that is given by id or host name. */
export async function findServerId(
  client: Pick<KeyClient, "listServers">,
  given: string,
  context: Context,
): Promise<string> {
  if (given.startsWith("srv_")) return given;
  const { servers } = await client.listServers(context.calling);
  const where = { noun: "server", plural: "servers", list: "ironlease server list" };
  return pickOne(servers, given.toLowerCase(), ({ hostname }) => hostname, where).id;
}
