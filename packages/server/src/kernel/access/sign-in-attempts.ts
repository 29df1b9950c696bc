import type { Client } from "#kernel/core.ts";
import { clientLane } from "./client-network.ts";
import type { Attempt } from "#kernel/rate-limits.ts";

/**
 * What a failed sign-in counts against. Per address and username first, so that an attacker
 * elsewhere cannot lock the owner out; always in this order, so that no two take turns in deadlock.
 */
export function signInAttempts(
  client: Client,
  username: string,
  side: "account" | "operator",
): readonly Attempt[] {
  const from = clientLane(client, side);
  return [
    { limit: "signInPerAddressAndUsername", subject: `${from} ${username}` },
    { limit: "signInPerAddress", subject: from },
  ];
}
