import { keyLocation } from "#adapters/system/key-file.ts";
import { ConfigError, type Config } from "#config.ts";
import { databaseHosts } from "#kernel/database-hosts.ts";
import { readDnsFile } from "./dns-file.ts";
import { readSettlementFile } from "./settlement-file.ts";

/**
 * The files of secrets that the settings name. Left out are the key that signs statements and, while operators use it,
 * the key that encrypts second factors: their own checks require that only their owner can read them.
 */
export function secretFilesOf(config: Config): readonly string[] {
  const { databaseUrl, dns, settlement } = config;
  const files = [
    config.operatorListen === undefined
      ? keyLocation(config.secretFile, config.data).path
      : undefined,
    config.smtpPasswordFile,
    config.tls.kind === "files" ? config.tls.keyPath : undefined,
    databaseUrl === undefined ? undefined : clientKeyOf(databaseUrl),
    ...(dns === undefined ? [] : filesIn(() => [readDnsFile(dns).apiKeyFile])),
    ...(typeof settlement === "object" ? filesIn(() => chainFiles(settlement.file)) : []),
  ];
  return files.filter((file) => file !== undefined);
}

function clientKeyOf(databaseUrl: string): string | undefined {
  const [url = ""] = databaseHosts(databaseUrl);
  return URL.parse(url)?.searchParams.get("sslkey") ?? undefined;
}

/** Every file that an entry names holds a secret. */
function chainFiles(settlementFile: string): readonly string[] {
  return readSettlementFile(settlementFile)
    .chains.flatMap((chain) => Object.entries(chain))
    .flatMap(([name, value]) => (name.endsWith("File") && typeof value === "string" ? value : []));
}

/** None if the file that names them is wrong, which its own check reports. */
function filesIn(read: () => readonly string[]): readonly string[] {
  try {
    return read();
  } catch (error) {
    if (error instanceof ConfigError) return [];
    throw error;
  }
}
