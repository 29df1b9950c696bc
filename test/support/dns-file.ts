import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findFreePort } from "./free-port.ts";
import type { PowerDns } from "./powerdns.ts";

/** Writes the file that `IRONLEASE_DNS` names. */
export async function writeDnsFile(
  path: string,
  { apiUrl, apiKeyFile, nameServer }: Pick<PowerDns, "apiUrl" | "apiKeyFile" | "nameServer">,
): Promise<string> {
  const document = {
    kind: "powerdns",
    apiUrl,
    apiKeyFile,
    nameServers: [nameServer],
    createZones: true,
    zoneNameServers: ["ns1.example."],
  };
  await writeFile(path, JSON.stringify(document));
  return path;
}

/** A file that names servers which do not answer, for tests of what people see then. */
export async function deadDnsFile(folder: string): Promise<string> {
  const apiKeyFile = join(folder, "dns-key");
  await writeFile(apiKeyFile, "key");
  const nowhere = `127.0.0.1:${await findFreePort()}`;
  return writeDnsFile(join(folder, "dns.json"), {
    apiUrl: `http://${nowhere}`,
    apiKeyFile,
    nameServer: nowhere,
  });
}
