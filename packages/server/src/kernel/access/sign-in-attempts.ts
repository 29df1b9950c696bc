import type { Client } from "#kernel/core.ts";
import { clientLane } from "./client-network.ts";
import type { Attempt } from "#kernel/rate-limits.ts";

/**
 * The rate limits of a failed sign-in. Address and username together come first, so that an attacker elsewhere cannot
 * lock out the owner. The order is fixed to avoid deadlocks.
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
