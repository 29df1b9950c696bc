import { isLoopbackHost } from "./setting-readers.ts";

/** A mail server, as its URL names it. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  readonly implicitTls: boolean;
  readonly isLoopback: boolean;
  readonly user: string | undefined;
  readonly password: string | undefined;
}

/** The ports of submission with STARTTLS and with TLS (RFC 8314). */
const defaultPorts = { "smtp:": 587, "smtps:": 465 } as const;

export function smtpUrl(value: string): SmtpServer {
  const url = URL.parse(value);
  const scheme = url?.protocol;
  const isWhole = url !== null && ["", "/"].includes(url.pathname) && url.search + url.hash === "";
  if (!isWhole || url.hostname === "" || (scheme !== "smtp:" && scheme !== "smtps:")) {
    throw new Error("must be an address such as smtp://user:password@mail.example:587");
  }
  const host = decode(url.hostname).replaceAll(/^\[|\]$/g, "");
  return {
    host,
    port: url.port === "" ? defaultPorts[scheme] : Number(url.port),
    implicitTls: scheme === "smtps:",
    isLoopback: isLoopbackHost(host),
    user: url.username === "" ? undefined : decode(url.username),
    password: url.password === "" ? undefined : decode(url.password),
  };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error("must percent-encode special characters of the user and the password");
  }
}

export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

/** `address` or `Name <address>`. */
export function mailbox(value: string): Mailbox {
  const [, name = "", inBrackets] = /^([^<>]*)<([^<>]+)>$/.exec(value.trim()) ?? [];
  const address = inBrackets ?? value.trim();
  const parts = address.split("@");
  const isAddress =
    parts.length === 2 && parts.every((part) => /^[\w.!#$%&'*+/=?^`{|}~-]+$/.test(part));
  if (!isAddress || /\p{Cc}/u.test(name)) {
    throw new Error("must be an address such as Rent Example <no-reply@rent.example>");
  }
  return { name: name.trim().replaceAll(/^"|"$/g, ""), address };
}
