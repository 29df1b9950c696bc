import { questionFor } from "#kernel/reverse-dns/reverse-names.ts";
import { DnsSilent, DnsUnavailable, type Dns } from "#ports/dns.ts";
import { isExactly } from "./plan-changes.ts";
import type { TrackedPtr } from "./tracked-ptrs.ts";

/** What the name servers together say about a record. */
export interface NameServerAnswer {
  /** All of them answer the setting. */
  readonly isAsWanted: boolean;
  /** What they answer, or the first answer that differs from the setting. Undefined if none answered. */
  readonly answered: string | undefined;
  /** Which server differs or failed. */
  readonly problem: string | undefined;
  readonly isFailure: boolean;
}

export type Ask = (ptr: TrackedPtr) => Promise<NameServerAnswer>;

/** After this many timeouts in a row, a server is not asked again in this pass. */
const maxTimeouts = 5;
const askedAtOnce = 50;

/** Asks every authoritative name server. Create one for each pass. */
export function createAsk(dns: Dns): Ask {
  const timeouts = new Map<string, { count: number; last: DnsSilent }>();

  const askOne = async (server: string, question: string) => {
    const silent = timeouts.get(server);
    if (silent !== undefined && silent.count >= maxTimeouts) return silent.last;
    try {
      const answer = await dns.ask(server, question);
      timeouts.delete(server);
      return answer;
    } catch (error) {
      if (!(error instanceof DnsUnavailable)) throw error;
      const { count } = timeouts.get(server) ?? { count: 0 };
      if (error instanceof DnsSilent) timeouts.set(server, { count: count + 1, last: error });
      return error;
    }
  };

  return async (ptr) => {
    const question = questionFor(ptr.name, ptr.address);
    const answers = await Promise.all(
      dns.nameServers.map(async (server) => ({ server, answer: await askOne(server, question) })),
    );
    const given = answers.flatMap(({ server, answer }) =>
      answer instanceof DnsUnavailable ? [] : [{ server, answer }],
    );
    const other = given.find(({ answer }) => !isExactly(answer, ptr.wanted));
    const failure = answers.find(({ answer }) => answer instanceof DnsUnavailable)?.answer;
    const isFailure = failure instanceof DnsUnavailable;
    return {
      isAsWanted: other === undefined && !isFailure,
      answered: (other ?? given[0])?.answer.join(" "),
      isFailure,
      problem: isFailure ? failure.message : other && difference(other),
    };
  };
}

function difference({ server, answer }: { server: string; answer: readonly string[] }): string {
  const said = answer.length === 0 ? "has no record" : `answers ${answer.join(" ")}`;
  return `The name server ${server} ${said}.`;
}

/**
 * Asks about many records, a bounded number at a time. The answers are in their order. A record whose answer is known
 * is not asked about.
 */
export async function askAll(
  ask: Ask,
  ptrs: readonly TrackedPtr[],
  known: (ptr: TrackedPtr) => NameServerAnswer | undefined = () => undefined,
): Promise<readonly NameServerAnswer[]> {
  const answers: NameServerAnswer[] = [];
  for (let start = 0; start < ptrs.length; start += askedAtOnce) {
    const some = ptrs.slice(start, start + askedAtOnce);
    answers.push(...(await Promise.all(some.map(async (ptr) => known(ptr) ?? ask(ptr)))));
  }
  return answers;
}
