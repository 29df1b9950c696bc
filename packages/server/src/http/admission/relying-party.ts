import { isIP } from "node:net";
import type { RelyingParty } from "#ports/webauthn.ts";

/**
 * The site that a request was sent to, given our origins with its Host. Passkeys belong to a host name, never to an
 * address, so on this machine's own addresses it is `localhost`.
 */
export function relyingPartyOf(origins: readonly string[]): RelyingParty {
  const urls = origins.map((origin) => {
    const url = new URL(origin);
    if (isIP(url.hostname.replaceAll(/[[\]]/g, "")) !== 0) url.hostname = "localhost";
    return url;
  });
  return { id: urls[0]?.hostname ?? "localhost", origins: urls.map(({ origin }) => origin) };
}
