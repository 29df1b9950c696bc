import type { KeyClient } from "@ironlease/client";
import type { Context } from "#context.ts";
import { pickOne } from "./pick.ts";

export const serverArgument = {
  name: "server",
  meaning: "The server's id or its host name.",
} as const;

/** The id of the server that is meant. A host name is looked up among the account's own. */
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
