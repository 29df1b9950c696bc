import { operations } from "@ironlease/contract";
import { workload } from "./support/workload.ts";
import {
  copyDatabase,
  createSeededDatabase,
  type SeededUsers,
  type BenchDatabase,
} from "./support/bench-database.ts";
import type { Step } from "./support/write-step.ts";
import { writeSteps, requestsOf } from "./support/write-steps.ts";
import { pgbench } from "./support/pgbench.ts";
import { median, startIronlease } from "./support/processes.ts";
import { openRawLoop, type RawLoop } from "./support/raw-loop.ts";
import { startRecorder, type Recorder } from "./support/recorder.ts";
import { withCore } from "./support/rental.ts";
import { sendAll } from "./support/send-all.ts";

const { customers, warmUpRounds } = workload;
const rounds = warmUpRounds + workload.rounds;
const connections = 32;

/** Copies of one seeded database, one for each participant of the benchmark. */
interface Setup {
  readonly engine: string;
  readonly users: SeededUsers;
  readonly recorder: Recorder & { readonly database: BenchDatabase };
  readonly service: Ports & { readonly database: BenchDatabase };
  readonly rawLoop: RawLoop;
  /** Undefined on SQLite. */
  readonly forPgbench: BenchDatabase | undefined;
}

interface Ports {
  readonly port: number;
  readonly operatorPort: number;
}

/**
 * Measures every write over HTTP as a share of a raw loop of the same statements with the same durability.
 * A recorder captures the statements from the service. The recorder, the loop and the measured service each
 * have their own copy of the database.
 */
export async function benchWrites(engine: string, serverUrl: string | undefined): Promise<void> {
  const seeded = await createSeededDatabase(serverUrl, {
    customers,
    machines: workload.orderableMachines,
  });
  const databases = [seeded.database];
  const copy = async () => {
    const copied = await copyDatabase(serverUrl, seeded.database);
    databases.push(copied);
    return copied;
  };
  const [forService, forLoop] = [await copy(), await copy()];
  const forPgbench = serverUrl === undefined ? undefined : await copy();
  const recorder = await startRecorder(seeded.database);
  const service = await startIronlease(forService.databaseUrl, forService.data);
  const rawLoop = await openRawLoop(forLoop);
  const setup: Setup = {
    engine,
    users: seeded.users,
    rawLoop,
    forPgbench,
    recorder: { ...recorder, database: seeded.database },
    service: { ...service, database: forService },
  };
  try {
    for (const step of writeSteps) await benchStep(setup, step);
  } catch (error) {
    for (const line of service.warningsAndErrors()) console.error(line);
    throw error;
  } finally {
    await rawLoop.close();
    await service.stop();
    await recorder.stop();
    for (const database of databases) await database.remove();
  }
}

async function benchStep(setup: Setup, step: Step): Promise<void> {
  const { engine, users, recorder, service, rawLoop, forPgbench } = setup;
  const [recorded, sent] = [
    await requestsFor(step, users, recorder),
    await requestsFor(step, users, service),
  ];
  const size = Math.floor(Math.min(step.limit ?? customers, customers) / rounds);
  const shares: number[] = [];
  const tails: number[] = [];
  const ofPgbench: number[] = [];
  let statements = 0;
  for (let round = 0; round < rounds; round += 1) {
    const of = (requests: readonly string[]) => requests.slice(round * size, (round + 1) * size);
    const recordings = await recorder.record(portFor(step, recorder), of(recorded));
    statements = recordings.at(-1)?.flat().length ?? 0;
    const seconds = await rawLoop.run(recordings);
    const ours = await sendAll(portFor(step, service), of(sent), connections);
    if (round < warmUpRounds) continue;
    shares.push((ours.perSecond * seconds) / size);
    tails.push(ours.p99 / ours.p50);
    if (step.operation !== "placeOrder" || forPgbench === undefined) continue;
    const theirs = await pgbench(forPgbench, customers, workload.seconds(2));
    if (theirs !== undefined) ofPgbench.push(ours.perSecond / theirs);
  }
  if (step.isPreparation === true) return;
  const also =
    ofPgbench.length === 0 ? "" : `, ${median(ofPgbench).toFixed(2)} of pgbench with 4 connections`;
  console.log(
    `${engine} ${step.operation}: ${median(shares).toFixed(2)} of a raw loop of its ${statements} statements${also}; p99 ${median(tails).toFixed(1)} × p50`,
  );
}

function portFor({ operation }: Step, { port, operatorPort }: Ports): number {
  return operations[operation].listener === "operator" ? operatorPort : port;
}

/** The step's requests, with the ids read from the participant's own database. */
async function requestsFor(
  step: Step,
  users: SeededUsers,
  place: Ports & { readonly database: BenchDatabase },
): Promise<readonly string[]> {
  const { about } = step;
  const { data, databaseUrl } = place.database;
  const ids = about === undefined ? [] : await withCore(data, databaseUrl, about);
  return requestsOf(step, users, ids, portFor(step, place));
}
