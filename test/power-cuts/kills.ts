import { setTimeout as delay } from "node:timers/promises";
import type { Db } from "#server/ports/db.ts";
import { lostIn, type Acknowledgement } from "./acknowledgement.ts";
import { Chance } from "./chance.ts";
import { brokenIn, problemsAskingAgain } from "./check-cut.ts";
import { Client, type Service } from "./client.ts";
import { Load } from "./load.ts";

/** Something that can be killed under a load. */
export interface Killable {
  readonly service: Service;
  readonly db: Db;
  /** Kills it and brings it back, and says what was wrong meanwhile. */
  kill(client: Client): Promise<readonly string[]>;
  readonly mayVanish: boolean;
  /** What the service has logged of late, for a run that stops. */
  log?(): readonly string[];
}

/** What one kill did to those who were asking. */
export interface Kill {
  readonly number: number;
  readonly acknowledged: number;
  /** How often nobody could say what became of a request. */
  readonly unanswered: number;
  readonly problems: readonly string[];
}

export interface KillOptions {
  readonly kills: number;
  readonly seed: number;
  readonly onKill?: (kill: Kill) => void;
  readonly openLoad?: (...options: Parameters<typeof Load.open>) => Promise<Pick<Load, "round">>;
}

const stepsPerKill = 5;
/** After so many kills others go on: an account takes fifty SSH keys and no more. */
const killsPerLoad = 20;
const machinesPerLoad = 400;
const askedAgain = 8;
const maxLooks = 6_000;
const lookPauseMs = 5;

/**
 * Kills something so often in the middle of a load, and looks each time for what was acknowledged. What nobody
 * expected, in the service or in this program, ends the run as a problem of the kill during which it happened.
 */
export async function killUnderLoad(
  target: Killable,
  { kills: count, seed, onKill, openLoad = (...given) => Load.open(...given) }: KillOptions,
): Promise<readonly Kill[]> {
  const { service, mayVanish } = target;
  const chance = new Chance(seed);
  const acknowledgements: Acknowledgement[] = [];
  const client = new Client(service, {
    note: (made) => "acknowledged" in made && acknowledgements.push(made.acknowledgement),
    mayVanish,
  });
  const kills: Kill[] = [];
  let load: Pick<Load, "round"> | undefined;
  for (let number = 1; number <= count; number += 1) {
    const [before, unansweredBefore] = [acknowledgements.length, client.unanswered];
    let problems: readonly string[];
    let isOver = false;
    try {
      if (load === undefined || number % killsPerLoad === 1) {
        load = await openLoad(client, `kill${number}`, { chance, machines: machinesPerLoad });
      }
      const killAt = acknowledgements.length + 1 + chance.below(stepsPerKill * 4);
      problems = await killDuring(target, client, load, () => acknowledgements.length >= killAt);
      const since = acknowledgements.slice(before);
      const lost = await lostIn(target.db, number === count ? acknowledgements : since);
      const changed = await problemsAskingLatest(client.service, since);
      problems = [...problems, ...lost, ...changed, ...(await brokenIn(target.db))];
    } catch (error) {
      isOver = true;
      problems = [`the run stopped: ${String(error)}`, ...(target.log?.() ?? [])];
    }
    const kill: Kill = {
      ...{ number, acknowledged: acknowledgements.length - before },
      unanswered: client.unanswered - unansweredBefore,
      problems,
    };
    kills.push(kill);
    onKill?.(kill);
    if (isOver) break;
  }
  return kills;
}

/** The clients go on through all of it, and send again what was not answered. */
async function killDuring(
  target: Killable,
  client: Client,
  load: Pick<Load, "round">,
  isTime: () => boolean,
): Promise<readonly string[]> {
  let isRoundOver = false;
  const round = load.round(stepsPerKill).finally(() => (isRoundOver = true));
  const kill = waitUntil(() => isRoundOver || isTime()).then(() => target.kill(client));
  // Both are waited for: what is away must be back before anybody may end it.
  const [killed, ended] = await Promise.allSettled([kill, round]);
  if (killed.status === "rejected") throw killed.reason;
  if (ended.status === "rejected") throw ended.reason;
  return killed.value;
}

async function problemsAskingLatest(service: Service, since: readonly Acknowledgement[]) {
  const problems: string[] = [];
  for (const latest of since.slice(-askedAgain)) {
    problems.push(...(await problemsAskingAgain(service, latest)));
  }
  return problems;
}

async function waitUntil(isTime: () => boolean): Promise<void> {
  for (let look = 0; look < maxLooks; look += 1) {
    if (isTime()) return;
    await delay(lookPauseMs);
  }
  throw new Error("nothing was acknowledged for too long");
}
