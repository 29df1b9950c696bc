import { dirname, resolve } from "node:path";
import { dnsFile, type DnsFile } from "@ironlease/contract";
import ipaddr from "ipaddr.js";
import { createPowerDns } from "#adapters/dns-powerdns/powerdns.ts";
import { ConfigError } from "#config.ts";
import { compileSchemaCheck, type Fault } from "#kernel/field-checks.ts";
import type { Dns } from "#ports/dns.ts";
import { readSettingsFile } from "./settings-file.ts";

const checkDocument = compileSchemaCheck(dnsFile);

/** Connects what `IRONLEASE_DNS` names. Calls no server. Throws a ConfigError for a bad file. */
export function connectDns(file: string): Dns {
  const { apiUrl, apiKeyFile, nameServers, ...rest } = readDnsFile(file);
  return createPowerDns({
    apiUrl,
    apiKeyFile,
    serverId: rest.serverId ?? "localhost",
    nameServers,
    createZones: rest.createZones ?? false,
    zoneNameServers: rest.zoneNameServers ?? [],
  });
}

/** Reads the DNS file, with absolute paths. Throws a ConfigError that names every problem. */
export function readDnsFile(file: string): DnsFile {
  const { document, problem } = readSettingsFile("IRONLEASE_DNS", file);
  const outline = checkDocument(document);
  const faults = outline.length > 0 ? outline : contradictions(document as DnsFile);
  if (faults.length > 0) throw new ConfigError(faults.map(problem));
  const { apiKeyFile, ...rest } = document as DnsFile;
  return { ...rest, apiKeyFile: resolve(dirname(resolve(file)), apiKeyFile) };
}

function contradictions({ apiUrl, nameServers, createZones, zoneNameServers }: DnsFile): Fault[] {
  const faults: Fault[] = [];
  const url = URL.parse(apiUrl);
  if (url === null || url.username !== "" || url.password !== "") {
    faults.push({ path: ["apiUrl"], message: "must be an http or https address without a login" });
  }
  for (const [index, server] of nameServers.entries()) {
    if (!isNameServer(server)) {
      const message =
        "must be an IP address, with a port or without: 192.0.2.53, 127.0.0.1:5300, [::1]:53";
      faults.push({ path: ["nameServers", String(index)], message });
    }
  }
  if (createZones === true && (zoneNameServers ?? []).length === 0) {
    const message = "must list the name servers of new zones, because createZones is true";
    faults.push({ path: zoneNameServers === undefined ? [] : ["zoneNameServers"], message });
  }
  return faults;
}

function isNameServer(text: string): boolean {
  const [, v4, v6, port] =
    /^(?:([0-9.]{7,15})|\[([0-9a-f:.]{2,45})\])(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const isAddress =
    v4 === undefined ? ipaddr.IPv6.isValid(v6 ?? text) : ipaddr.IPv4.isValidFourPartDecimal(v4);
  return isAddress && Number(port ?? 53) > 0 && Number(port ?? 53) <= 65_535;
}
