import {
  DnsRefused,
  DnsUnavailable,
  type Dns,
  type PtrChange,
  type ZoneRecords,
} from "#ports/dns.ts";
import { askNameServer, isAnswering } from "./ask-name-server.ts";
import { createPowerDnsApi, type ApiAnswer } from "./powerdns-api.ts";

export interface PowerDnsOptions {
  readonly apiUrl: string;
  readonly apiKeyFile: string;
  readonly serverId: string;
  readonly nameServers: readonly string[];
  readonly createZones: boolean;
  readonly zoneNameServers: readonly string[];
}

const answerMs = 10_000;
const ttlSeconds = 3_600;
const longestReason = 200;

/** PowerDNS Authoritative Server 4.7 or later, through its HTTP API. Calls nothing yet. */
export function createPowerDns(options: PowerDnsOptions): Dns {
  const call = createPowerDnsApi(options);
  const zonePath = (zone: string) => `/zones/${encodeURIComponent(zoneId(zone))}`;

  return {
    nameServers: options.nameServers,
    createsZones: options.createZones,
    answerMs,
    health: async (signal) => {
      const answer = expect(await call("GET", "", undefined, signal), 200);
      const { version, daemon_type: kind } = fieldsOf(answer.json);
      if (typeof version !== "string" || kind !== "authoritative") {
        throw new DnsUnavailable("apiUrl is not the API of a PowerDNS Authoritative Server.");
      }
      return { version };
    },
    readZone: async (zone, signal) => {
      const answer = await call("GET", zonePath(zone), undefined, signal);
      if (answer.status === 404) return undefined;
      return recordsIn(expect(answer, 200).json);
    },
    createZone: async (zone, signal) => {
      const body = {
        name: absolute(zone),
        kind: "Native",
        nameservers: options.zoneNameServers.map(absolute),
        soa_edit_api: "INCREASE",
      };
      const answer = await call("POST", "/zones", body, signal);
      if (answer.status !== 409) expect(answer, 201);
    },
    changeZone: async (zone, changes, signal) => {
      const body = { rrsets: changes.map(rrsetOf) };
      expect(await call("PATCH", zonePath(zone), body, signal), 204);
    },
    ask: (nameServer, name) => askNameServer(nameServer, name),
    isAnswering,
  };
}

function rrsetOf({ name, ptr }: PtrChange) {
  const rrset = { name: absolute(name), type: "PTR" };
  if (ptr === "") return { ...rrset, changetype: "DELETE" };
  const records = [{ content: absolute(ptr), disabled: false }];
  return { ...rrset, changetype: "REPLACE", ttl: ttlSeconds, records };
}

/** The API's id of a zone escapes the slash of an RFC 2317 name. */
function zoneId(zone: string): string {
  return absolute(zone).replaceAll("/", "=2F");
}

function absolute(name: string): string {
  return name.endsWith(".") ? name : `${name}.`;
}

function relative(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

function expect(answer: ApiAnswer, status: number): ApiAnswer {
  if (answer.status === status) return answer;
  const { error } = fieldsOf(answer.json);
  const reason = typeof error === "string" ? `: ${error.slice(0, longestReason)}` : "";
  if (answer.status === 422 || answer.status === 400) {
    throw new DnsRefused(`PowerDNS refused the change${reason}`);
  }
  throw new DnsUnavailable(`PowerDNS answered with HTTP status ${answer.status}${reason}`);
}

/** Disabled records are not served, but a person entered them. */
function recordsIn(zone: unknown): ZoneRecords {
  const { rrsets } = fieldsOf(zone);
  if (!Array.isArray(rrsets)) throw new DnsUnavailable("PowerDNS answered without rrsets.");
  const records = new Map<string, readonly string[]>();
  for (const rrset of rrsets.map(fieldsOf)) {
    if (rrset["type"] !== "PTR" || !Array.isArray(rrset["records"])) continue;
    const contents = rrset["records"].map((record) => String(fieldsOf(record)["content"]));
    records.set(relative(String(rrset["name"])), contents.map(relative));
  }
  return records;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
