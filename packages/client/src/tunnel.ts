import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Socket } from "node:net";

const connectMs = 5_000;

/** A connection to a host through an HTTP proxy (CONNECT). The proxy sees the host and no content. */
export function openTunnel(proxy: string, host: string, port: number): Promise<Socket> {
  const { protocol, hostname, port: proxyPort, username, password } = new URL(proxy);
  const target = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const isSecure = protocol === "https:";
  const usualPort = isSecure ? 443 : 80;
  const request = (isSecure ? requestHttps : requestHttp)({
    host: hostname.replaceAll(/^\[|\]$/g, ""),
    port: proxyPort === "" ? usualPort : Number(proxyPort),
    method: "CONNECT",
    path: target,
    headers: {
      host: target,
      ...(username !== "" && {
        "proxy-authorization": `Basic ${Buffer.from(user).toString("base64")}`,
      }),
    },
    agent: false,
    timeout: connectMs,
  });
  return new Promise((resolve, reject) => {
    request.once("connect", ({ statusCode = 0 }, socket) => {
      if (statusCode === 200) resolve(socket);
      else {
        socket.destroy();
        reject(new ProxyError(`The proxy answered ${statusCode}`));
      }
    });
    request.once("timeout", () => request.destroy(new ProxyError("The proxy did not answer")));
    request.once("error", reject);
    request.end();
  });
}

class ProxyError extends Error {
  readonly code = "PROXY_REFUSED";
}
