import { DnsRefused } from "#ports/dns.ts";
import { callDns } from "#kernel/reverse-dns/call-dns.ts";
import type { PassRun } from "./pass-run.ts";
import { changeOf } from "./plan-changes.ts";
import type { TrackedPtr } from "./tracked-ptrs.ts";

export interface SentChanges {
  readonly applied: readonly TrackedPtr[];
  /** The reason by address. */
  readonly refused: ReadonlyMap<string, string>;
}

/**
 * Sends all changes of a zone at once. The server applies all or none, so a refused batch is halved until the changes
 * that it does not accept stand alone.
 */
export async function sendChanges(
  run: PassRun,
  zone: string,
  ptrs: readonly TrackedPtr[],
): Promise<SentChanges> {
  const [first] = ptrs;
  if (first === undefined) return { applied: [], refused: new Map() };
  await run.proceed();
  const { dns } = run;
  try {
    await callDns(dns, (signal) => dns.changeZone(zone, ptrs.map(changeOf), signal));
    return { applied: ptrs, refused: new Map() };
  } catch (error) {
    if (!(error instanceof DnsRefused)) throw error;
    if (ptrs.length === 1) {
      return { applied: [], refused: new Map([[first.address, error.message]]) };
    }
  }
  const middle = Math.ceil(ptrs.length / 2);
  const lower = await sendChanges(run, zone, ptrs.slice(0, middle));
  const upper = await sendChanges(run, zone, ptrs.slice(middle));
  return {
    applied: [...lower.applied, ...upper.applied],
    refused: new Map([...lower.refused, ...upper.refused]),
  };
}
