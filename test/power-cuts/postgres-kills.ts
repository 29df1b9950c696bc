import { setTimeout as delay } from "node:timers/promises";
import type { Db } from "../../packages/server/src/ports/db.ts";
import { startIronleased, temporaryFolder, type Daemon } from "../support/daemon.ts";
import { codeOf } from "../support/https-client.ts";
import { openAt } from "../support/open-at.ts";
import { startOwnPostgres, type OwnPostgres } from "../support/postgres-server.ts";
import { databaseUrl, runStatement } from "../support/template-database.ts";
import { lostIn, type Acknowledgement, type Note } from "./acknowledgement.ts";
import { Chance } from "./chance.ts";
import { brokenIn, problemsAskingAgain } from "./check-cut.ts";
import { Client } from "./client.ts";
import { operatorPassword } from "./load-operator.ts";
import { Load } from "./load.ts";

/** What one kill of the database server did to those who were using it. */
export interface Kill {
  readonly number: number;
  readonly acknowledged: number;
  /** How often a client was told to come back later. */
  readonly refused: number;
  readonly problems: readonly string[];
}

const stepsPerKill = 5;
/** After so many kills others go on: an account takes fifty SSH keys and no more. */
const killsPerLoad = 20;
const machinesPerLoad = 400;
const askedAgain = 8;
const maxLooks = 6_000;
const lookPauseMs = 5;

/** Kills PostgreSQL under a service that goes on running, so many times. */
export async function killPostgres(
  kills: number,
  seed: number,
  onKill: (kill: Kill) => void = () => {},
): Promise<readonly Kill[]> {
  const server = await startOwnPostgres();
  let [daemon, db]: [Daemon?, Db?] = [];
  try {
    await runStatement(server.url, "create database power_cuts");
    const url = databaseUrl(server.url, "power_cuts");
    daemon = await startIronleased("preview", {
      IRONLEASE_DATA: temporaryFolder(),
      IRONLEASE_DATABASE_URL: url,
      IRONLEASE_AUTH_LIMITS: "off",
      IRONLEASE_OPERATOR_PASSWORD: operatorPassword,
    });
    db = await openAt("postgres", url);
    return await killRepeatedly({ server, daemon, db }, kills, seed, onKill);
  } finally {
    await daemon?.stop();
    await db?.close();
    await server.stop();
  }
}

interface Running {
  readonly server: OwnPostgres;
  readonly daemon: Daemon;
  readonly db: Db;
}

async function killRepeatedly(
  running: Running,
  count: number,
  seed: number,
  onKill: (kill: Kill) => void,
): Promise<readonly Kill[]> {
  const chance = new Chance(seed);
  const acknowledgements: Acknowledgement[] = [];
  const note = (made: Note) => {
    if ("acknowledged" in made) acknowledgements.push(made.acknowledgement);
  };
  const client = new Client(running.daemon, note);
  let load: Load | undefined;
  const kills: Kill[] = [];
  for (let number = 1; number <= count; number += 1) {
    if (number % killsPerLoad === 1) {
      load = await Load.open(client, `kill${number}`, { chance, machines: machinesPerLoad });
    }
    if (load === undefined) throw new Error("nobody is there to ask for anything");
    const [before, refusedBefore] = [acknowledgements.length, client.unavailable];
    const killAt = before + 1 + chance.below(stepsPerKill * 4);
    const killed = killWhen(running, () => acknowledgements.length >= killAt);
    // The clients go on through all of it, and send again what was not answered.
    const [, problems] = await Promise.all([load.round(stepsPerKill), killed]);
    const since = acknowledgements.slice(before);
    const isLast = number === count;
    problems.push(
      ...(await lostIn(running.db, isLast ? acknowledgements : since)),
      ...(await brokenIn(running.db)),
    );
    for (const latest of since.slice(-askedAgain)) {
      problems.push(...(await problemsAskingAgain(running.daemon, latest)));
    }
    const refused = client.unavailable - refusedBefore;
    const kill = { number, acknowledged: since.length, refused, problems };
    kills.push(kill);
    onKill(kill);
  }
  return kills;
}

async function killWhen({ server, daemon }: Running, isTime: () => boolean): Promise<string[]> {
  for (let look = 0; look < maxLooks && !isTime(); look += 1) await delay(lookPauseMs);
  await server.kill();
  const health = await daemon.send("GET", "/api/health");
  await server.resume();
  if (health.status === 503 && codeOf(health) === "service_unavailable") return [];
  return [`without a database its health was answered ${health.status} ${health.text}`];
}
