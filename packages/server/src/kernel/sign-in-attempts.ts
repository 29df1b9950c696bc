import type { Client } from "./core.ts";
import { clientNetwork } from "./client-network.ts";
import type { Attempt } from "./rate-limits.ts";

/**
 * What a failed sign-in counts against. Per address and username first, so that an attacker
 * elsewhere cannot lock the owner out; always in this order, so that no two take turns in deadlock.
 */
export function signInAttempts(client: Client, username: string): readonly Attempt[] {
  const network = clientNetwork(client.ipAddress);
  return [
    { limit: "signInPerAddressAndUsername", subject: `${network} ${username}` },
    { limit: "signInPerAddress", subject: network },
  ];
}
