import { connectDns } from "#composition/dns-file.ts";
import { ConfigError, type Config } from "#config.ts";
import { callDns } from "#kernel/reverse-dns/call-dns.ts";
import type { Dns } from "#ports/dns.ts";
import type { Finding } from "./finding.ts";

/** Calls the API of the DNS server and asks every name server. Changes nothing. */
export async function dnsFindings({ dns: file }: Config): Promise<readonly Finding[]> {
  const subject = "reverse DNS";
  if (file === undefined) return [{ subject, detail: "stored, not published" }];
  let dns: Dns;
  try {
    dns = connectDns(file);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map((problem) => ({ subject, problem }));
  }
  const { nameServers } = dns;
  const api = await find(subject, async () => {
    const { version } = await callDns(dns, (signal) => dns.health(signal));
    return `PowerDNS ${version}`;
  });
  const asked = nameServers.map((server) =>
    find(`name server ${server}`, async () => {
      const isAnswering = await dns.isAnswering(server);
      if (!isAnswering) throw new Error("it does not answer: check its address and port");
      return "answers";
    }),
  );
  return [api, ...(await Promise.all(asked))];
}

async function find(subject: string, detail: () => Promise<string>): Promise<Finding> {
  try {
    return { subject, detail: await detail() };
  } catch (error) {
    return { subject, problem: error instanceof Error ? error.message : String(error) };
  }
}
