import type { Db } from "#server/ports/db.ts";
import { setTimeout as delay } from "node:timers/promises";
import { killUnderLoad, type Kill } from "../power-cuts/kills.ts";
import { Load } from "../power-cuts/load.ts";
import { LoadOperator } from "../power-cuts/load-operator.ts";
import { errorsIn } from "../power-cuts/postgres-kills.ts";
import { SeededRandom } from "../power-cuts/seeded-random.ts";
import { faults } from "./faults.ts";
import type { TestBed } from "./test-bed.ts";

export interface FaultRun extends Kill {
  readonly fault: string;
  /** Whether another server became the primary. */
  readonly isFailover: boolean;
  /** The longest time without an acknowledged write. */
  readonly outageMs: number;
}

export interface FaultOptions {
  readonly seed: number;
  readonly isOver: () => boolean;
  readonly onStart: (fault: string) => void;
  readonly onFault: (run: FaultRun) => void;
}

const maxFaults = 10_000;
const machinesPerFault = 1_000;
const roundPauseMs = 250;

type Measured = Pick<FaultRun, "fault" | "isFailover" | "outageMs">;

/** Lets one fault after another happen under load, each kind once before any happens again. */
export async function runFaults(
  bed: TestBed,
  { seed, isOver, onStart, onFault }: FaultOptions,
): Promise<readonly FaultRun[]> {
  const random = new SeededRandom(seed);
  const runs: FaultRun[] = [];
  let waiting: readonly string[] = [];
  let happening = new AbortController();
  let measured: Measured = { fault: "none", isFailover: false, outageMs: 0 };
  let db: Db = await bed.openPrimary();
  const kill = async (): Promise<readonly string[]> => {
    if (waiting.length === 0) waiting = shuffled(Object.keys(faults), random);
    const [name = "", ...rest] = waiting;
    waiting = rest;
    measured = { fault: name, isFailover: false, outageMs: 0 };
    onStart(name);
    await db.close();
    const primary = await bed.cluster.leader();
    const startedAt = performance.now();
    try {
      const problems = await faults[name as keyof typeof faults](bed, random);
      await bed.cluster.untilHealthy();
      const healthyAt = performance.now();
      await bed.cluster.until("writes are acknowledged", () =>
        Promise.resolve(bed.service.acknowledgedSince(healthyAt) > 0),
      );
      const isFailover = (await bed.cluster.leader()) !== primary;
      const outageMs = bed.service.longestGapMs(startedAt, performance.now());
      measured = { fault: name, isFailover, outageMs };
      db = await bed.openPrimary();
      return problems;
    } catch (error) {
      // Otherwise the customers would repeat their requests for an hour.
      await bed.daemon.stop();
      throw error;
    } finally {
      happening.abort();
    }
  };
  let hasSubnets = false;
  const openLoad = async (...[client, name, options]: Parameters<typeof Load.open>) => {
    if (!hasSubnets) await (await LoadOperator.signIn(client)).addSubnets();
    hasSubnets = true;
    const load = await Load.open(client, name, { ...options, machines: machinesPerFault });
    return {
      round: async (steps: number) => {
        happening = new AbortController();
        await load.round(steps);
        while (!happening.signal.aborted) {
          await load.round(1);
          await delay(roundPauseMs);
        }
      },
    };
  };
  const target = {
    service: bed.service,
    get db() {
      return db;
    },
    mayDisconnect: false,
    kill,
    log: () => errorsIn(bed.daemon.output()),
  };
  const onKill = (done: Kill) => {
    const run = { ...done, ...measured };
    runs.push(run);
    onFault(run);
  };
  const options = { kills: maxFaults, seed, isOver, killsPerLoad: 1, onKill, openLoad };
  await killUnderLoad(target, options);
  await db.close();
  return runs;
}

function shuffled(names: readonly string[], random: SeededRandom): readonly string[] {
  return names
    .map((name) => ({ name, order: random.next() }))
    .toSorted((one, other) => one.order - other.order)
    .map(({ name }) => name);
}
