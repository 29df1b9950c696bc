import type { Server } from "@ironlease/client";
import type { CatalogueNames } from "#data/catalogue-names.ts";

export type NamedServer = Pick<Server, "label" | "hostname" | "configId" | "region">;

/** The customer's own name for a server, or its host name, or before its delivery what it is: "Metal S in Frankfurt". */
export function serverName(server: NamedServer, names: CatalogueNames): string {
  return givenName(server) || offerName(server.configId, server.region, names);
}

/** Empty before delivery, unless the customer has named the server. */
export function givenName({ label, hostname }: Pick<NamedServer, "label" | "hostname">): string {
  return label || (hostname ?? "");
}

export function offerName(configId: string, regionId: string, names: CatalogueNames): string {
  return `${names.configuration(configId)} in ${names.region(regionId)}`;
}
