import { withDeadline } from "#kernel/concurrency/deadline.ts";
import { DnsUnavailable, type Dns } from "#ports/dns.ts";

/** Calls the DNS server with its deadline, so that a silent server does not block the pass. */
export function callDns<T>(
  { answerMs }: Pick<Dns, "answerMs">,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const onTimeout = () => new DnsUnavailable(`PowerDNS did not answer within ${answerMs} ms.`);
  return withDeadline(answerMs, onTimeout, call);
}
