import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { isIP, type Socket } from "node:net";
import { join, relative, resolve as resolvePath } from "node:path";
import { connect } from "node:tls";
import type { Io } from "#io.ts";

const waitMs = 5_000;

/** The certificate that a service presents. */
export interface Shown {
  readonly certificate: X509Certificate;
  /** Why it is not trusted. Undefined if it is. */
  readonly doubt: string | undefined;
}

/** Reads the certificate of a service without sending anything. Undefined if there is no response. */
export async function lookAtCertificate(
  url: string,
  ca: string | undefined,
  proxy: string | undefined,
): Promise<Shown | undefined> {
  const { protocol, hostname, port: given } = new URL(url);
  if (protocol !== "https:") return undefined;
  const host = hostname.replaceAll(/^\[|\]$/g, "");
  const port = given === "" ? 443 : Number(given);
  if (proxy === undefined) return certificateOf({ host, port }, ca);
  const { openTunnel } = await import("@ironlease/client/node");
  const tunnel = await openTunnel(proxy, host, port).catch(() => undefined);
  return tunnel && certificateOf({ host, socket: tunnel }, ca);
}

function certificateOf(
  {
    host,
    ...connection
  }: { readonly host: string; readonly port?: number; readonly socket?: Socket },
  ca: string | undefined,
): Promise<Shown | undefined> {
  return new Promise((resolve) => {
    const socket = connect({
      ...(connection.socket === undefined ? { host } : {}),
      ...connection,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(ca === undefined ? {} : { ca }),
      // Nothing is sent on this connection. It only reads the certificate, to explain the error.
      rejectUnauthorized: false,
    });
    const end = (shown: Shown | undefined) => {
      socket.destroy();
      resolve(shown);
    };
    socket.setTimeout(waitMs, () => end(undefined));
    socket.once("error", () => end(undefined));
    socket.once("secureConnect", () => {
      const certificate = socket.getPeerX509Certificate();
      const doubt = socket.authorized ? undefined : String(socket.authorizationError);
      end(certificate && { certificate, doubt });
    });
  });
}

/** The CA file of a local preview, if that CA signed this certificate. */
export function authorityBeside(certificate: X509Certificate, io: Io): string | undefined {
  const folders = [io.env["IRONLEASE_DATA"], "data", "."].filter((folder) => folder !== undefined);
  const paths = folders.map((folder) => join(resolvePath(io.cwd, folder), "tls", "ca.pem"));
  const found = paths.find((path) => {
    try {
      if (!existsSync(path)) return false;
      const authority = new X509Certificate(readFileSync(path));
      return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
    } catch {
      // An unreadable file is not suggested.
      return false;
    }
  });
  if (found === undefined) return undefined;
  const short = relative(io.cwd, found);
  return short.startsWith("..") ? found : short;
}
