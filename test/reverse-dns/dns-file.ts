import { writeFile } from "node:fs/promises";
import type { PowerDns } from "#test/powerdns.ts";

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
