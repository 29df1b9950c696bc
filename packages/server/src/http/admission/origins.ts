/**
 * The addresses under which the service may be reached. A request is ours when its Host is one of
 * them, and same-origin when its Origin is exactly the address that it was sent to.
 */
export interface Origins {
  /** The origins that a request with this Host may name, or undefined when the Host is not ours. */
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

/** For a preview that others on the network may try out: whatever Host they use is taken for ours. */
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
