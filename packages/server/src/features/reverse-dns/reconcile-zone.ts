import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import { noteAttempt, notePublished } from "#kernel/reverse-dns/record-ptrs.ts";
import { noteForeignPtrs, noteZone, type ZoneOutcome } from "#kernel/reverse-dns/record-zones.ts";
import { DnsRefused, type ZoneRecords } from "#ports/dns.ts";
import { askAll, type NameServerAnswer } from "./ask-name-servers.ts";
import { callDns } from "#kernel/reverse-dns/call-dns.ts";
import { findForeign } from "./find-foreign.ts";
import { judgeOutcome } from "./judge-outcome.ts";
import type { PassRun } from "./pass-run.ts";
import { planChanges, type PlannedPtr } from "./plan-changes.ts";
import { recordOutcomes } from "./record-outcomes.ts";
import { sendChanges } from "./send-changes.ts";
import { ptrsOfZone, type TrackedPtr, type TrackedZone } from "./tracked-ptrs.ts";

/** The zone as the server has it. */
interface ObservedZone {
  readonly records: ZoneRecords;
  /** Why the server does not have the zone. Empty if no record needs it. */
  readonly problem: string | undefined;
}

const none: ZoneRecords = new Map();

/** Makes the due records of a zone equal to their settings. */
export async function reconcileDue(
  run: PassRun,
  zone: TrackedZone,
  due: readonly TrackedPtr[],
): Promise<void> {
  const observed = await observeZone(run, zone, due);
  const planned = await reconcilePtrs(run, zone, due, observed);
  const hasForeign = planned.some(({ plan }) => plan === "foreign");
  // The whole zone is compared next, which lists foreign records.
  await recordZone(run, zone, observed, hasForeign ? 0 : undefined);
}

/** Compares all records of a zone with their settings, and finds foreign ones. */
export async function compareZone(run: PassRun, zone: TrackedZone): Promise<void> {
  const { core } = run;
  const own = new Set<string>();
  let observed: ObservedZone = { records: none, problem: "" };
  for await (const page of ptrsOfZone(core, zone.zone)) {
    // A zone that no record of an earlier page needed may be created for a later one.
    if (observed.problem !== undefined) {
      observed = await observeZone(run, zone, page);
    }
    const planned = await reconcilePtrs(run, zone, page, observed);
    for (const { ptr, plan } of planned) if (plan !== "foreign") own.add(ptr.name);
  }
  const foreign = await findForeign(core, observed.records, own);
  await core.db.write(async (tx) => {
    await noteForeignPtrs({ tx, core }, zone.zone, foreign);
    return ok();
  });
  await recordZone(run, zone, observed, core.clock.now());
}

async function observeZone(
  { dns }: PassRun,
  { zone, mayCreate }: TrackedZone,
  ptrs: readonly TrackedPtr[],
): Promise<ObservedZone> {
  const records = await callDns(dns, (signal) => dns.readZone(zone, signal));
  if (records !== undefined) return { records, problem: undefined };
  if (ptrs.every(({ wanted }) => wanted === "")) return { records: none, problem: "" };
  if (!dns.createsZones || mayCreate === 0) {
    return { records: none, problem: `The zone ${zone} does not exist. Create it.` };
  }
  try {
    await callDns(dns, (signal) => dns.createZone(zone, signal));
    // Somebody may have created it in the meantime, with records.
    const created = await callDns(dns, (signal) => dns.readZone(zone, signal));
    return { records: created ?? none, problem: undefined };
  } catch (error) {
    if (!(error instanceof DnsRefused)) throw error;
    return { records: none, problem: error.message };
  }
}

async function reconcilePtrs(
  run: PassRun,
  { zone }: TrackedZone,
  ptrs: readonly TrackedPtr[],
  { records, problem }: ObservedZone,
): Promise<readonly PlannedPtr[]> {
  const { core } = run;
  const planned = planChanges(ptrs, records);
  const changes = problem === undefined ? await noteAttempts(core, planned) : [];
  const { applied, refused } = await sendChanges(run, zone, changes);
  run.changed += applied.length;
  await recordPublished(core, planned, new Set(applied));

  await run.proceed();
  const answers = await askAll(run.ask, ptrs, problem === undefined ? undefined : withoutZone);
  const now = core.clock.now();
  const judged = planned.map((one, index) => {
    const answer = answers[index];
    if (answer === undefined) throw new RangeError("every record has an answer");
    const refusal = refused.get(one.ptr.address) ?? (one.plan === "change" ? problem : undefined);
    const outcome = judgeOutcome(one, refusal, answer, now);
    return { ptr: one.ptr, outcome, answered: answer.answered };
  });
  await recordOutcomes(core, judged);
  return planned;
}

/** Name servers refuse questions about a zone that never existed. They may still have one that was deleted. */
function withoutZone({ wanted, published, attempted, answered }: TrackedPtr) {
  const isKnown = published !== "" || attempted !== null || answered !== "";
  const isAsWanted = wanted === "";
  const nothing: NameServerAnswer = {
    isAsWanted,
    answered: isAsWanted ? "" : undefined,
    isFailure: false,
    problem: undefined,
  };
  return isKnown ? undefined : nothing;
}

/** Returns the changes whose settings are still the same. */
async function noteAttempts(
  core: Core,
  planned: readonly PlannedPtr[],
): Promise<readonly TrackedPtr[]> {
  const changes = planned.filter(({ plan }) => plan === "change");
  if (changes.length === 0) return [];
  const noted = await core.db.write(async (tx) => {
    const current: TrackedPtr[] = [];
    for (const { ptr, found } of changes) {
      const note = { found: found[0] ?? "", wanted: ptr.wanted };
      if (await noteAttempt({ tx, core }, ptr, note)) current.push(ptr);
    }
    return ok(current);
  });
  return noted.ok ? noted.value : [];
}

async function recordPublished(
  core: Core,
  planned: readonly PlannedPtr[],
  applied: ReadonlySet<TrackedPtr>,
): Promise<void> {
  const isNews = ({ ptr, plan }: PlannedPtr) =>
    applied.has(ptr) ||
    (plan === "keep" && (ptr.published !== ptr.wanted || ptr.attempted !== null));
  const news = planned.filter(isNews);
  if (news.length === 0) return;
  await core.db.write(async (tx) => {
    for (const { ptr } of news) await notePublished({ tx, core }, ptr.address, ptr.wanted);
    return ok();
  });
}

async function recordZone(
  { core }: PassRun,
  { zone }: TrackedZone,
  { problem }: ObservedZone,
  comparedAt: number | undefined,
): Promise<void> {
  const { state, error } = zoneStateOf(problem);
  await core.db.write(async (tx) => {
    await noteZone({ tx, core }, zone, { state, error, comparedAt });
    return ok();
  });
}

function zoneStateOf(problem: string | undefined): Pick<ZoneOutcome, "state" | "error"> {
  if (problem === undefined) return { state: "PRESENT", error: null };
  return problem === "" ? { state: "ABSENT", error: null } : { state: "FAILED", error: problem };
}
