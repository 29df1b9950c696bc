import { domainToUnicode } from "node:url";
import ipaddr from "ipaddr.js";
import { accepted, rejected, type Checked } from "#kernel/checked.ts";

const maxLength = 2_048;

const refusals = {
  length: `must be at most ${maxLength} characters, with non-ASCII characters percent-encoded`,
  characters:
    "must not contain white space, control characters or backslashes; percent-encode them",
  scheme: "must start with https:// and a host",
  userinfo: "must be a public HTTPS URL without a user name or password",
  fragment: "must not have a fragment; remove the # and everything after it",
  form: "must be a well-formed HTTPS URL",
  address: "must have a public host name, or a public IP address in its usual notation",
  name: "must have a public host name with at least two labels and no trailing dot",
} as const;

/**
 * Last labels that never lead to a public host: reserved by RFC 2606, 6761, 6762, 7686, 8375 and 9476 or by ICANN, or
 * so widely used privately that ICANN will not delegate them.
 */
const reservedLastLabels: ReadonlySet<string> = new Set([
  "alt",
  "arpa",
  "corp",
  "domain",
  "example",
  "home",
  "i2p",
  "internal",
  "intra",
  "intranet",
  "invalid",
  "lan",
  "local",
  "localdomain",
  "localhost",
  "localnet",
  "mail",
  "onion",
  "private",
  "test",
  "workgroup",
]);

/** The former 6bone, which ipaddr.js calls unicast although it contains no public addresses. */
const withdrawnIpv6 = ipaddr.IPv6.parseCIDR("3ffe::/16");

/** The only part of IPv6 that is allocated to the public. */
const globalIpv6 = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Checks that a URL can lead only to the public internet. The check uses the text alone: what its host name resolves to
 * is for the one who connects to check. That may be another program with another parser, so any text that two parsers
 * could read differently is refused, even if ours finds a public host in it.
 */
export function checkPublicUrl(text: string): Checked<string> {
  if (text.length > maxLength) return rejected(refusals.length);
  // The URL class drops tabs, line breaks and lone surrogates, and turns backslashes into slashes.
  if (!text.isWellFormed() || /[\p{White_Space}\p{Cc}\p{Cf}\\]/u.test(text)) {
    return rejected(refusals.characters);
  }

  const authority = /^https:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined) return rejected(refusals.scheme);
  if (authority.includes("@")) return rejected(refusals.userinfo);
  if (text.includes("#")) return rejected(refusals.fragment);

  const typedHost = /^(\[[^[\]]*\]|[^:[\]]+)(?::[0-9]*)?$/.exec(authority)?.[1];
  const url = URL.parse(text);
  if (typedHost === undefined || url === null) return rejected(refusals.form);

  const fault = isAddress(url.hostname)
    ? faultOfAddress(typedHost, url.hostname)
    : faultOfName(typedHost, url.hostname);
  if (fault !== undefined) return rejected(fault);
  return url.href.length > maxLength ? rejected(refusals.length) : accepted(url.href);
}

/** The URL class writes every address it recognizes as [IPv6] or as four decimal numbers. */
function isAddress(hostname: string): boolean {
  return hostname.startsWith("[") || ipaddr.IPv4.isValidFourPartDecimal(hostname);
}

function faultOfAddress(typedHost: string, hostname: string): string | undefined {
  // 010.8.8.8 is 8.8.8.8 to one parser and 10.8.8.8 to another, so only one notation is allowed.
  const plain = hostname.startsWith("[")
    ? /^\[[0-9a-f:]+\]$/i.test(typedHost)
    : typedHost === hostname;
  return plain && isPublicAddress(unbracketed(hostname)) ? undefined : refusals.address;
}

/** The address of a URL's host name, which is in brackets if it is IPv6. */
export function unbracketed(hostname: string): string {
  return hostname.replaceAll(/^\[|\]$/g, "");
}

/** Whether an address belongs to the public internet. */
export function isPublicAddress(text: string): boolean {
  const address = ipaddr.parse(text);
  return address.kind() === "ipv4" ? isPublicIpv4(address) : isPublicIpv6(address);
}

type Ip = ReturnType<typeof ipaddr.parse>;

function isPublicIpv4(address: Ip): boolean {
  return address.range() === "unicast";
}

function isPublicIpv6(address: Ip): boolean {
  if (address.range() !== "unicast") return false;
  if (!address.match(globalIpv6) || address.match(withdrawnIpv6)) return false;
  // ISATAP embeds an IPv4 address after the interface identifier 0:5efe or 200:5efe.
  const bytes = address.toByteArray();
  const identifier = Buffer.from(bytes.slice(8, 12)).toString("hex");
  return !/^0[0-3]005efe$/.test(identifier);
}

function faultOfName(typedHost: string, hostname: string): string | undefined {
  if (!isPlainlyTyped(typedHost) || hostname.length > 253) return refusals.name;
  const labels = hostname.split(".");
  const lastLabel = labels.at(-1) ?? "";
  const wellFormed = labels.every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label));
  if (!wellFormed || labels.length < 2) return refusals.name;
  if (!/^(?:[a-z]{2,}|xn--[a-z0-9-]+)$/.test(lastLabel)) return refusals.name;
  if (reservedLastLabels.has(lastLabel)) return refusals.name;
  // A label that is not valid punycode stays as it is, and resolvers disagree about it.
  const decoded = domainToUnicode(hostname).split(".");
  return decoded.some((label) => label.startsWith("xn--")) ? refusals.name : undefined;
}

/** No percent escapes, look-alike digits, invisible characters or foreign full stops. */
function isPlainlyTyped(typedHost: string): boolean {
  const unescaped = !/[%\u3002]|\p{Default_Ignorable_Code_Point}/u.test(typedHost);
  return unescaped && typedHost.normalize("NFC") === typedHost.normalize("NFKC");
}
