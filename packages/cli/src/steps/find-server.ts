import type { KeyClient } from "@ironlease/client";
import type { Context } from "#context.ts";
import { pickOne } from "./pick.ts";

export const serverArgument = {
  name: "server",
  completes: "servers",
  meaning: "Host name, label or id of the server.",
} as const;

/** The fields of a server's record. */
export const serverFields = [
  "id",
  "orderId",
  "configId",
  "osId",
  "hostname",
  "state",
  "region",
  "term",
  "priceUsd",
  "ddosUsd",
  "paidThrough",
  "graceUntil",
  "autoRenew",
  "ddosMode",
  "label",
  "createdAt",
  "suspension",
] as const;

/** The id of a server that is given by id, host name or label. Host names precede labels. */
export async function findServerId(
  client: Pick<KeyClient, "listServers">,
  given: string,
  context: Context,
): Promise<string> {
  if (given.startsWith("srv_")) return given;
  const { servers } = await client.listServers({}, context.calling);
  const names = servers.flatMap((server) => server.hostname ?? []);
  const where = { noun: "server", plural: "servers", list: "ironlease server list", names };
  const hostname = given.toLowerCase();
  return servers.some((server) => server.hostname === hostname)
    ? pickOne(servers, hostname, (server) => server.hostname, where).id
    : pickOne(servers, given, ({ label }) => (label === "" ? null : label), where).id;
}
