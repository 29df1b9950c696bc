/**
 * The origins of the service. A request belongs to it if its Host is that of an origin, and is
 * same-origin if its Origin equals the origin that it was sent to.
 */
export interface Origins {
  /** The origins that a request with this Host may send, or undefined if the Host is not ours. */
  forHost(host: string): readonly string[] | undefined;
}

export function configuredOrigins(origins: readonly string[]): Origins {
  const byHost = new Map<string, string[]>();
  for (const origin of origins) {
    const url = new URL(origin);
    const hosts = url.port === "" ? [url.host, `${url.host}:${defaultPort(url)}`] : [url.host];
    for (const host of hosts) byHost.set(host, [...(byHost.get(host) ?? []), url.origin]);
  }
  return { forHost: (host) => byHost.get(host) ?? byHost.get(host.toLowerCase()) };
}

/** Accepts every Host, for a preview that other machines on the network can open. */
export function anyOrigin(schemes: readonly ("http" | "https")[]): Origins {
  return {
    forHost: (host) => {
      const url = URL.parse(`https://${host}`);
      const isPlainHost = url !== null && url.pathname === "/" && !/[\s/?#@\\,]/.test(host);
      return isPlainHost
        ? schemes.map((scheme) => new URL(`${scheme}://${host}`).origin)
        : undefined;
    },
  };
}

function defaultPort(url: URL): string {
  return url.protocol === "https:" ? "443" : "80";
}
