import { limits } from "@ironlease/contract";
import type { Result } from "#ports/result.ts";
import { ok, refuseField } from "#kernel/result.ts";

const label = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** The name of a server that is delivered without one. */
export function defaultHostname(serverId: string): string {
  return serverId.replace("_", "-");
}

/** A single label is allowed: it is the name the machine gives itself. A last label of digits would be an IP address. */
export function readHostname(text: string): Result<string> {
  const hostname = text.toLowerCase();
  const labels = hostname.split(".");
  const isGood =
    hostname.length <= limits.hostNameLength &&
    labels.every((part) => label.test(part)) &&
    !/^\d+$/.test(labels.at(-1) ?? "");
  return isGood
    ? ok(hostname)
    : refuseField(
        "hostname",
        "must be a host name: labels of letters, digits and inner hyphens, separated by dots",
      );
}
