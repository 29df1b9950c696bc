import { setTimeout as delay } from "node:timers/promises";
import type { Db } from "../../packages/server/src/ports/db.ts";
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
}

const stepsPerKill = 5;
/** After so many kills others go on: an account takes fifty SSH keys and no more. */
const killsPerLoad = 20;
const machinesPerLoad = 400;
const askedAgain = 8;
const maxLooks = 6_000;
const lookPauseMs = 5;

/** Kills something so often in the middle of a load, and looks each time for what was acknowledged. */
export async function killUnderLoad(
  target: Killable,
  { kills: count, seed, onKill }: KillOptions,
): Promise<readonly Kill[]> {
  const { db, service, mayVanish } = target;
  const chance = new Chance(seed);
  const acknowledgements: Acknowledgement[] = [];
  const client = new Client(service, {
    note: (made) => "acknowledged" in made && acknowledgements.push(made.acknowledgement),
    mayVanish,
  });
  const kills: Kill[] = [];
  for (let number = 1; number <= count;) {
    const name = `kill${number}`;
    const load = await Load.open(client, name, { chance, machines: machinesPerLoad });
    const last = Math.min(number + killsPerLoad - 1, count);
    for (; number <= last; number += 1) {
      const [before, unansweredBefore] = [acknowledgements.length, client.unanswered];
      const killAt = before + 1 + chance.below(stepsPerKill * 4);
      // The clients go on through all of it, and send again what was not answered.
      const [problems] = await Promise.all([
        waitUntil(() => acknowledgements.length >= killAt).then(() => target.kill(client)),
        load.round(stepsPerKill),
      ]);
      const since = acknowledgements.slice(before);
      const lost = await lostIn(db, number === count ? acknowledgements : since);
      const changed = await problemsAskingLatest(client.service, since);
      const kill: Kill = {
        ...{ number, acknowledged: since.length },
        unanswered: client.unanswered - unansweredBefore,
        problems: [...problems, ...lost, ...changed, ...(await brokenIn(db))],
      };
      kills.push(kill);
      onKill?.(kill);
    }
  }
  return kills;
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
