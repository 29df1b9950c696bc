import type { Server, ServerDue } from "@ironlease/client";
import type { CatalogueNames } from "#data/catalogue-names.ts";

type Named = Pick<Server, "label" | "hostname" | "configId" | "region">;

/** The customer's own name for a server, or its host name, or before its delivery what it is: "Metal S in Frankfurt". */
export function serverName(server: Named, names: CatalogueNames): string {
  return givenName(server) || offerName(server.configId, server.region, names);
}

/** The same where only delivered servers are expected. */
export function dueServerName(server: Pick<ServerDue, "id" | "label" | "hostname">): string {
  return givenName(server) || server.id;
}

/** Empty before delivery, unless the customer has named the server. */
export function givenName({ label, hostname }: Pick<Named, "label" | "hostname">): string {
  return label || (hostname ?? "");
}

export function offerName(configId: string, regionId: string, names: CatalogueNames): string {
  return `${names.configuration(configId)} in ${names.region(regionId)}`;
}
