import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import { leasePass, releasePass } from "#kernel/reverse-dns/pass-lease.ts";
import { noteOutcome } from "#kernel/reverse-dns/record-ptrs.ts";
import { noteZone } from "#kernel/reverse-dns/record-zones.ts";
import { DnsUnavailable, type Dns } from "#ports/dns.ts";
import { createAsk } from "./ask-name-servers.ts";
import { callDns } from "#kernel/reverse-dns/call-dns.ts";
import { discoverPtrs } from "./discover-ptrs.ts";
import { retryAfterMs } from "./judge-outcome.ts";
import { compareZone, reconcileDue, type PassRun } from "./reconcile-zone.ts";
import { duePtrs, findZone, zonesDue, type TrackedPtr, type TrackedZone } from "./tracked-ptrs.ts";

export interface ReverseDnsPass {
  /** How many records were changed in zones. */
  readonly changed: number;
  readonly failures: readonly unknown[];
}

export interface PassOptions {
  /** Names the instance. */
  readonly holder: string;
  readonly stop?: AbortSignal | undefined;
}

/** Every zone is compared with all its settings this often. */
const compareEveryMs = 15 * 60_000;
const ptrsPerRound = 500;
const zonesPerRound = 20;
/** What remains is done by the next pass. */
const maxRounds = 200;

/** Makes zones equal to settings. Does nothing while another instance does. */
export async function runReverseDns(
  core: Core,
  dns: Dns,
  { holder, stop }: PassOptions,
): Promise<ReverseDnsPass> {
  const run: PassRun = { core, dns, ask: createAsk(dns), changed: 0 };
  const failures: unknown[] = [];
  const isStopped = () => stop?.aborted === true;
  if (!(await leasePass(core, holder))) return { changed: 0, failures };
  let outage: string | null = null;
  try {
    await discoverPtrs(core);
    const failed = new Set<string>();
    for (let round = 0; round < maxRounds && !isStopped(); round += 1) {
      const work = await findWork(core, failed);
      if (work.length === 0) break;
      for (const { zone, due } of work) {
        if (isStopped() || !(await leasePass(core, holder))) break;
        const failure = await attemptZone(run, zone, due);
        if (failure === undefined) continue;
        failed.add(zone.zone);
        failures.push(failure);
        // One zone may fail alone. A server that is down ends the pass.
        await callDns(dns, (signal) => dns.health(signal));
      }
    }
  } catch (error) {
    if (!(error instanceof DnsUnavailable)) throw error;
    outage = error.message;
    if (failures.length === 0) failures.push(error);
  } finally {
    await releasePass(core, holder, outage);
  }
  return { changed: run.changed, failures };
}

interface ZoneWork {
  readonly zone: TrackedZone;
  /** Undefined to compare all records of the zone. */
  readonly due: readonly TrackedPtr[] | undefined;
}

/** Changes come before comparisons. */
async function findWork(core: Core, failed: ReadonlySet<string>): Promise<readonly ZoneWork[]> {
  const due = await duePtrs(core, ptrsPerRound);
  const byZone = Map.groupBy(due, ({ zone }) => zone);
  const work: ZoneWork[] = [];
  for (const [zone, ptrs] of byZone) {
    if (!failed.has(zone)) work.push({ zone: await findZone(core, zone), due: ptrs });
  }
  if (work.length > 0) return work;
  const comparedBefore = core.clock.now() - compareEveryMs;
  const zones = await zonesDue(core, comparedBefore, zonesPerRound + failed.size);
  return zones.filter(({ zone }) => !failed.has(zone)).map((zone) => ({ zone, due: undefined }));
}

/** Returns the failure if the server could not be used for this zone. */
async function attemptZone(
  run: PassRun,
  zone: TrackedZone,
  due: readonly TrackedPtr[] | undefined,
): Promise<DnsUnavailable | undefined> {
  try {
    if (due === undefined) await compareZone(run, zone);
    else await reconcileDue(run, zone, due);
    return undefined;
  } catch (error) {
    if (!(error instanceof DnsUnavailable)) throw error;
    await postpone(run, zone, due ?? [], error.message);
    return error;
  }
}

/** The records stay as they are: the outage is the server's, not theirs. */
async function postpone(
  { core }: PassRun,
  { zone }: TrackedZone,
  due: readonly TrackedPtr[],
  error: string,
): Promise<void> {
  await core.db.write(async (tx) => {
    await noteZone({ tx, core }, zone, { state: "FAILED", error });
    for (const ptr of due.filter(({ state }) => state === "PENDING")) {
      const failures = ptr.failures + 1;
      const dueAt = core.clock.now() + retryAfterMs(failures);
      await noteOutcome({ tx, core }, ptr, { state: "PENDING", error: null, failures, dueAt });
    }
    return ok();
  });
}
