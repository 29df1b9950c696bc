import { Resolver } from "node:dns/promises";
import { DnsSilent, DnsUnavailable } from "#ports/dns.ts";

const defaultTimeoutMs = 2_000;
const tries = 2;

/** The server's own answer that there is no such record. */
const absent: readonly string[] = ["ENOTFOUND", "ENODATA"];

/** Asks one name server. `reverse` cannot be used: it does not tell an absent record from a dead server. */
export async function askNameServer(
  nameServer: string,
  name: string,
  timeoutMs = defaultTimeoutMs,
): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  resolver.setServers([nameServer]);
  try {
    return (await resolver.resolvePtr(name)).map((answer) => answer.toLowerCase());
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== undefined && absent.includes(code)) return [];
    const Failure = code === "ETIMEOUT" ? DnsSilent : DnsUnavailable;
    throw new Failure(`The name server ${nameServer} failed (${code ?? "no code"}).`, {
      cause: error,
    });
  }
}

/** Asks a question, which an authoritative server refuses. */
export async function isAnswering(nameServer: string): Promise<boolean> {
  const resolver = new Resolver({ timeout: defaultTimeoutMs, tries });
  resolver.setServers([nameServer]);
  try {
    await resolver.resolvePtr("localhost");
    return true;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    return [...absent, "EREFUSED", "ESERVFAIL"].includes(code);
  }
}
