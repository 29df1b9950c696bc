import type { Server } from "@ironlease/client";

type Named = Pick<Server, "id" | "label" | "hostname">;

/** The customer's own name for a server, or else its host name, or else its id. */
export function serverName({ id, label, hostname }: Named): string {
  return label === "" ? (hostname ?? id) : label;
}
