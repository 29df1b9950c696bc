import { useQuery } from "@tanstack/react-query";
import { catalogueNames } from "#data/catalogue-names.ts";
import { reads } from "#account/data/reads.ts";
import { givenName, serverName, type NamedServer } from "./server-name.ts";

/** Names any of these servers. Reads the catalogue only if one of them has no name of its own yet. */
export function useServerNames(
  servers: readonly NamedServer[] = [],
): (server: NamedServer) => string {
  const enabled = servers.some((server) => givenName(server) === "");
  const { data } = useQuery({ ...reads.catalogue, enabled });
  const names = catalogueNames(data);
  return (server) => serverName(server, names);
}
