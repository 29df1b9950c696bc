import { usageFailure } from "#failures/failure.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy for this address, from HTTPS_PROXY and NO_PROXY. None for this machine and for plain HTTP. */
export function proxyFor(url: string, env: Environment): string | undefined {
  const proxy = settingOf("HTTPS_PROXY", env);
  const { protocol, hostname, port } = new URL(url);
  const isLocal = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  if (proxy === undefined || protocol !== "https:" || isLocal) return undefined;
  const exceptions = (settingOf("NO_PROXY", env) ?? "").split(/[\s,]+/);
  if (exceptions.some((exception) => isExcepted(hostname, port || "443", exception))) {
    return undefined;
  }
  const text = proxy.includes("://") ? proxy : `http://${proxy}`;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw usageFailure(
      "HTTPS_PROXY must be the address of an HTTP proxy, such as http://proxy:3128.",
    );
  }
  return text;
}

/** curl reads both, and empty is the same as not set. */
function settingOf(name: string, env: Environment): string | undefined {
  return [env[name], env[name.toLowerCase()]].find((value) => value !== undefined && value !== "");
}

/** `*`, a host or domain with or without a leading dot, and a port if it has one. */
function isExcepted(hostname: string, port: string, exception: string): boolean {
  if (exception === "*") return true;
  const [, domain = "", itsPort] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(exception.toLowerCase()) ?? [];
  if (domain === "" || (itsPort !== undefined && itsPort !== port)) return false;
  return hostname === domain || hostname.endsWith(`.${domain}`);
}
