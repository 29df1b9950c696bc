import { setTimeout as delay } from "node:timers/promises";
import type { Db } from "#server/ports/db.ts";
import { lostChanges, UnexpectedRows, type Acknowledgement } from "./acknowledgement.ts";
import { SeededRandom } from "./seeded-random.ts";
import { brokenInvariants, problemsWhenRepeated } from "./check-cut.ts";
import { Client, type Service } from "./client.ts";
import { Load } from "./load.ts";

/** A service or database that can be killed under load. */
export interface Killable {
  readonly service: Service;
  readonly db: Db;
  /** Kills and restarts it. Returns the problems found meanwhile. */
  kill(client: Client): Promise<readonly string[]>;
  readonly mayDisconnect: boolean;
  /** Recent log lines of the service, reported when the run stops. */
  log?(): readonly string[];
}

export interface Kill {
  readonly number: number;
  readonly acknowledged: number;
  /** Number of attempts with unknown outcome. */
  readonly unanswered: number;
  readonly problems: readonly string[];
}

export interface KillOptions {
  readonly kills: number;
  /** Whether to end before that many kills. */
  readonly isOver?: () => boolean;
  /** New customers start after this many kills, because an account can have at most fifty SSH keys. */
  readonly killsPerLoad?: number;
  readonly seed: number;
  readonly onKill?: (kill: Kill) => void;
  readonly openLoad?: (...options: Parameters<typeof Load.open>) => Promise<Pick<Load, "round">>;
}

const stepsPerKill = 5;
const machinesPerLoad = 400;
const repeatedRequests = 8;
const maxPolls = 6_000;
const pollIntervalMs = 5;

/**
 * Kills the target repeatedly under load and checks each time that acknowledged changes are present. An
 * unexpected error, in the service or in this program, ends the run as a problem of the current kill.
 */
export async function killUnderLoad(
  target: Killable,
  options: KillOptions,
): Promise<readonly Kill[]> {
  const { kills: count, seed, onKill, isOver: isTimeUp = () => false, killsPerLoad = 20 } = options;
  const { openLoad = (...given) => Load.open(...given) } = options;
  const { service, mayDisconnect } = target;
  const random = new SeededRandom(seed);
  const acknowledgements: Acknowledgement[] = [];
  const client = new Client(service, {
    note: (note) => "acknowledged" in note && acknowledgements.push(note.acknowledgement),
    mayDisconnect,
  });
  const unexpected = await UnexpectedRows.since(target.db);
  const kills: Kill[] = [];
  let load: Pick<Load, "round"> | undefined;
  for (let number = 1; number <= count; number += 1) {
    const [before, unansweredBefore] = [acknowledgements.length, client.unanswered];
    let problems: readonly string[];
    let isOver = false;
    let isLast = number === count;
    try {
      if (load === undefined || (number - 1) % killsPerLoad === 0) {
        load = await openLoad(client, `kill${number}`, { random, machines: machinesPerLoad });
      }
      const killAt = acknowledgements.length + 1 + random.below(stepsPerKill * 4);
      problems = await killDuring(target, client, load, () => acknowledgements.length >= killAt);
      isLast ||= isTimeUp();
      const since = acknowledgements.slice(before);
      const lost = await lostChanges(target.db, isLast ? acknowledgements : since);
      const doubled = await unexpected.find(target.db, acknowledgements);
      const changed = await problemsRepeatingLatest(client.service, since);
      const broken = await brokenInvariants(target.db);
      problems = [...problems, ...lost, ...doubled, ...changed, ...broken];
    } catch (error) {
      isOver = true;
      problems = [`the run stopped: ${String(error)}`, ...(target.log?.() ?? [])];
    }
    const kill: Kill = {
      number,
      acknowledged: acknowledgements.length - before,
      unanswered: client.unanswered - unansweredBefore,
      problems,
    };
    kills.push(kill);
    onKill?.(kill);
    if (isOver || isLast) break;
  }
  return kills;
}

/** Clients saveLog attempt during the kill and retry unanswered requests. */
async function killDuring(
  target: Killable,
  client: Client,
  load: Pick<Load, "round">,
  isTime: () => boolean,
): Promise<readonly string[]> {
  let isRoundOver = false;
  const round = load.round(stepsPerKill).finally(() => (isRoundOver = true));
  const kill = waitUntil(() => isRoundOver || isTime()).then(() => target.kill(client));
  // Wait for both, so that the target is running again before the caller stops it.
  const [killed, ended] = await Promise.allSettled([kill, round]);
  if (killed.status === "rejected") {
    if (ended.status === "fulfilled") throw killed.reason;
    // A load that has failed may be why the kill waited in vain.
    throw new Error(`${String(killed.reason)}\nThe load failed too: ${String(ended.reason)}`);
  }
  if (ended.status === "rejected") throw ended.reason;
  return killed.value;
}

async function problemsRepeatingLatest(service: Service, since: readonly Acknowledgement[]) {
  const problems: string[] = [];
  for (const latest of since.slice(-repeatedRequests)) {
    problems.push(...(await problemsWhenRepeated(service, latest)));
  }
  return problems;
}

async function waitUntil(isTime: () => boolean): Promise<void> {
  for (let poll = 0; poll < maxPolls; poll += 1) {
    if (isTime()) return;
    await delay(pollIntervalMs);
  }
  throw new Error("Too few changes were acknowledged in time.");
}
