import { withTrace } from "#kernel/concurrency/trace.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import { callDns } from "#kernel/reverse-dns/call-dns.ts";
import { leasePass, releasePass } from "#kernel/reverse-dns/pass-lease.ts";
import { postponePtr } from "#kernel/reverse-dns/record-ptrs.ts";
import { noteZone } from "#kernel/reverse-dns/record-zones.ts";
import { DnsUnavailable, type Dns } from "#ports/dns.ts";
import { discoverPtrs } from "./discover-ptrs.ts";
import { retryAfterMs } from "./judge-outcome.ts";
import { createPassRun, PassEnded, type PassOptions, type PassRun } from "./pass-run.ts";
import { compareZone, reconcileDue } from "./reconcile-zone.ts";
import { duePtrs, findZone, zonesDue, type TrackedPtr, type TrackedZone } from "./tracked-ptrs.ts";

export interface ReverseDnsPass {
  /** How many records were changed in zones. */
  readonly changed: number;
  readonly failures: readonly unknown[];
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
  options: PassOptions,
): Promise<ReverseDnsPass> {
  const run = createPassRun(core, dns, options);
  const failures: unknown[] = [];
  if (!(await leasePass(core, options.holder))) return { changed: 0, failures };
  let outage: string | null = null;
  try {
    await discoverPtrs(core);
    await runRounds(run, failures);
  } catch (error) {
    if (error instanceof DnsUnavailable) {
      outage = error.message;
      failures.push(error);
    } else if (!(error instanceof PassEnded)) throw error;
  } finally {
    await releasePass(core, options.holder, outage);
  }
  return { changed: run.changed, failures };
}

/** Throws `DnsUnavailable` if the server is down. The records stay due, and the job retries with backoff. */
async function runRounds(run: PassRun, failures: unknown[]): Promise<void> {
  const failed = new Set<string>();
  for (let round = 0; round < maxRounds; round += 1) {
    const work = await findWork(run.core, failed);
    if (work.length === 0) return;
    for (const { zone, due } of work) {
      await run.proceed();
      const failure = await withTrace(onlyTrace(due), () => attemptZone(run, zone, due));
      if (failure === undefined) continue;
      // One zone may fail alone.
      await callDns(run.dns, (signal) => run.dns.health(signal));
      failed.add(zone.zone);
      failures.push(failure);
      await postponeZone(run, zone, due ?? [], failure.message);
    }
  }
}

interface ZoneWork {
  readonly zone: TrackedZone;
  /** Undefined to compare all records of the zone. */
  readonly due: readonly TrackedPtr[] | undefined;
}

/** Changes come before comparisons. */
async function findWork(core: Core, failed: ReadonlySet<string>): Promise<readonly ZoneWork[]> {
  const due = await duePtrs(core, [...failed], ptrsPerRound);
  const byZone = Map.groupBy(due, ({ zone }) => zone);
  const work: ZoneWork[] = [];
  for (const [zone, ptrs] of byZone) work.push({ zone: await findZone(core, zone), due: ptrs });
  if (work.length > 0) return work;
  const comparedBefore = core.clock.now() - compareEveryMs;
  const zones = await zonesDue(core, comparedBefore, zonesPerRound + failed.size);
  return zones.filter(({ zone }) => !failed.has(zone)).map((zone) => ({ zone, due: undefined }));
}

/** One call can publish the changes of several requests. It has a trace only if all of them have the same. */
function onlyTrace(due: readonly TrackedPtr[] | undefined): string | undefined {
  const [trace, ...others] = new Set(due?.map(({ traceparent }) => traceparent));
  return others.length === 0 ? (trace ?? undefined) : undefined;
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
    return error;
  }
}

async function postponeZone(
  { core }: PassRun,
  { zone }: TrackedZone,
  due: readonly TrackedPtr[],
  error: string,
): Promise<void> {
  await core.db.write(async (tx) => {
    await noteZone({ tx, core }, zone, { state: "FAILED", error });
    for (const ptr of due) {
      const failures = ptr.failures + 1;
      const dueAt = core.clock.now() + retryAfterMs(failures);
      await postponePtr({ tx, core }, ptr, { failures, dueAt });
    }
    return ok();
  });
}
