import {
  assets,
  centsFromUsd,
  rateLimits,
  type Asset,
  type RateLimitName,
} from "@ironlease/contract";
import ipaddr from "ipaddr.js";
import { databaseHosts } from "#kernel/database-hosts.ts";

/** Parsers of settings. Each throws the end of a sentence that starts with the setting's name. */

export interface Listen {
  readonly host: string;
  readonly port: number;
  readonly isLoopback: boolean;
}

export type Tls =
  | { readonly kind: "self-signed" }
  | { readonly kind: "off" }
  | { readonly kind: "acme" }
  | { readonly kind: "files"; readonly certificatePath: string; readonly keyPath: string };

export function text(value: string): string {
  if (value === "") throw new Error("must not be empty");
  return value;
}

export function oneOf<const Words extends readonly string[]>(...words: Words) {
  return (value: string): Words[number] => {
    if (!words.includes(value)) throw new Error(`must be one of ${words.join(", ")}`);
    return value;
  };
}

/** A path is recognised by a slash or `.json`, so that a misspelled word is not taken for one. */
export function settlement(value: string): "simulated" | "none" | { readonly file: string } {
  if (value === "simulated" || value === "none") return value;
  if (value.includes("/") || value.endsWith(".json")) return { file: value };
  throw new Error("must be simulated, none or the path of a settlement file");
}

export function integer(min: number, max: number) {
  return (value: string): number => {
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= min && number <= max)) {
      throw new Error(`must be a whole number from ${min} to ${max}`);
    }
    return number;
  };
}

/** A sum of USD, as cents. */
export function usd(value: string): number {
  const cents = centsFromUsd(value);
  if (cents === undefined || cents < 0) throw new Error("must be USD such as 5000 or 99.50");
  return cents;
}

export function postgresUrl(value: string): string {
  databaseHosts(value);
  return value;
}

export function listen(value: string): Listen {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]+):(\d{1,5})$/.exec(value);
  const port = Number(match?.[2]);
  if (match === null || port > 65_535) {
    throw new Error("must be an address and a port such as 127.0.0.1:8443 or [::1]:8443");
  }
  const host = (match[1] ?? "").replaceAll(/^\[|\]$/g, "");
  return { host, port, isLoopback: isLoopbackHost(host) };
}

/** A host with or without the brackets of an IPv6 address. */
export function isLoopbackHost(bracketed: string): boolean {
  const host = bracketed.replaceAll(/^\[|\]$/g, "");
  return (
    host === "localhost" || (ipaddr.isValid(host) && ipaddr.process(host).range() === "loopback")
  );
}

export function origins(value: string): readonly string[] {
  return value.split(",").map((part) => {
    const url = URL.parse(part.trim());
    if (
      url === null ||
      !/^https?:$/.test(url.protocol) ||
      url.origin !== part.trim().toLowerCase()
    ) {
      throw new Error("must be addresses such as https://rent.example, without a path");
    }
    return url.origin;
  });
}

/** The URL of a folder, without user, query or fragment. */
export function folderUrl(value: string): string {
  const url = URL.parse(value);
  const isPlain = url !== null && !/[@?#]/.test(value);
  if (!isPlain || !/^https?:$/.test(url.protocol) || /["\s<>\\]/.test(value)) {
    throw new Error("must be a URL such as https://mirror.example/iso, without a user or query");
  }
  return value;
}

export function httpsUrl(value: string): string {
  const url = URL.parse(value);
  if (url?.protocol !== "https:" || url.username !== "" || /\s/.test(value)) {
    throw new Error("must be a URL such as https://acme.example/directory");
  }
  return url.href;
}

export function networks(value: string): readonly string[] {
  return value.split(",").map((part) => {
    const network = part.trim();
    if (!ipaddr.isValid(network) && !ipaddr.isValidCIDR(network)) {
      throw new Error("must be addresses or networks such as 10.0.0.1 or 10.0.0.0/8");
    }
    return network;
  });
}

/** A page of a block explorer for each asset, with a placeholder for the transaction. */
export type Explorers = Readonly<Partial<Record<Asset, string>>>;

/** `BTC=https://explorer.example/tx/{transactionId},LTC=…` */
export function explorers(value: string): Explorers {
  const entries = value.split(",").map((part) => {
    const [name = "", ...rest] = part.trim().split("=");
    const asset = assets.find((candidate) => candidate === name);
    const template = rest.join("=");
    if (asset === undefined || !isExplorer(template)) {
      throw new Error(
        "must be a comma-separated list such as BTC=https://explorer.example/tx/{transactionId}, with https addresses that contain {transactionId} after the host",
      );
    }
    return [asset, template] as const;
  });
  const byAsset = Object.fromEntries(entries);
  if (Object.keys(byAsset).length < entries.length) throw new Error("must list each asset once");
  return byAsset;
}

function isExplorer(template: string): boolean {
  const url = URL.parse(template.replaceAll("{transactionId}", "0"));
  if (url === null || url.protocol !== "https:" || /[\s<>"\\^`|]/.test(template)) return false;
  // With its origin first, the template has no user, and no transaction id can change the host.
  return template.includes("{transactionId}") && template.startsWith(`${url.origin}/`);
}

export function tls(value: string): Tls {
  if (value === "self-signed" || value === "off" || value === "acme") return { kind: value };
  const [certificatePath = "", keyPath = "", ...rest] = value.split(",");
  if (certificatePath === "" || keyPath === "" || rest.length > 0) {
    throw new Error("must be self-signed, acme, off, or CERTIFICATE.pem,KEY.pem");
  }
  return { kind: "files", certificatePath, keyPath };
}

const unitMs: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Milliseconds of `30s`, `15m`, `2h` or `7d`. */
export function duration(value: string): number {
  const match = /^([1-9]\d{0,5})([smhd])$/.exec(value);
  if (match === null) throw new Error("must be a time such as 30s, 15m, 2h or 7d");
  return Number(match[1]) * (unitMs[match[2] ?? ""] ?? 0);
}

export function rateLimit(value: string): {
  readonly count: number;
  readonly windowSeconds: number;
} {
  const [count = "", window = "", ...rest] = value.split("/");
  if (!/^[1-9]\d{0,6}$/.test(count) || rest.length > 0 || !/^\d+[smhd]$/.test(window)) {
    throw new Error("must be a count and a time such as 5/15m");
  }
  return { count: Number(count), windowSeconds: duration(window) / 1000 };
}

/** A default rate limit, as a user would write it. */
export function defaultRate(name: RateLimitName): string {
  return `${rateLimits[name].count}/${rateLimits[name].windowSeconds / 60}m`;
}
