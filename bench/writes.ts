import { operations } from "@ironlease/contract";
import { extent } from "./support/extent.ts";
import { copyOf, peopleGround, type Cast, type Ground } from "./support/ground.ts";
import { life, requestsOf, type Step } from "./support/life.ts";
import { pgbench } from "./support/pgbench.ts";
import { median, startIronlease } from "./support/processes.ts";
import { openRawLoop, type RawLoop } from "./support/raw-loop.ts";
import { startRecorder, type Recorder } from "./support/recorder.ts";
import { withCore } from "./support/rental.ts";
import { sendAll } from "./support/send-all.ts";

const { customers, warmUpRounds } = extent;
const rounds = warmUpRounds + extent.rounds;
const connections = 32;

/** The same people on three databases. */
interface Places {
  readonly engine: string;
  readonly cast: Cast;
  readonly recorder: Recorder & { readonly ground: Ground };
  readonly service: Ports & { readonly ground: Ground };
  readonly rawLoop: RawLoop;
  /** Undefined where there is no PostgreSQL. */
  readonly forPgbench: Ground | undefined;
}

interface Ports {
  readonly port: number;
  readonly operatorPort: number;
}

/**
 * Every write through HTTP as a share of a bare loop of the same statements with the same durability. What
 * the statements are is recorded from the service itself, on a database of its own; the loop does the
 * same to a second one with the same rows, and the service under load to a third.
 */
export async function benchWrites(engine: string, serverUrl: string | undefined): Promise<void> {
  const people = await peopleGround(serverUrl, { customers, machines: extent.orderable });
  const grounds = [people.ground];
  const copy = async () => {
    const made = await copyOf(serverUrl, people.ground);
    grounds.push(made);
    return made;
  };
  const [forService, forLoop] = [await copy(), await copy()];
  const forPgbench = serverUrl === undefined ? undefined : await copy();
  const recorder = await startRecorder(people.ground);
  const service = await startIronlease(forService.databaseUrl, forService.data);
  const rawLoop = await openRawLoop(forLoop);
  const places: Places = {
    ...{ engine, cast: people.cast, rawLoop, forPgbench },
    recorder: { ...recorder, ground: people.ground },
    service: { ...service, ground: forService },
  };
  try {
    for (const step of life) await benchStep(places, step);
  } catch (error) {
    for (const line of service.complaints()) console.error(line);
    throw error;
  } finally {
    await rawLoop.close();
    await service.stop();
    await recorder.stop();
    for (const ground of grounds) await ground.remove();
  }
}

async function benchStep(places: Places, step: Step): Promise<void> {
  const { engine, cast, recorder, service, rawLoop, forPgbench } = places;
  const [recorded, sent] = [await asks(step, cast, recorder), await asks(step, cast, service)];
  const size = Math.floor(Math.min(step.most ?? customers, customers) / rounds);
  const shares: number[] = [];
  const tails: number[] = [];
  const ofPgbench: number[] = [];
  let statements = 0;
  for (let round = 0; round < rounds; round += 1) {
    const of = (requests: readonly string[]) => requests.slice(round * size, (round + 1) * size);
    const deeds = await recorder.record(portFor(step, recorder), of(recorded));
    statements = deeds.at(-1)?.flat().length ?? 0;
    const seconds = await rawLoop.run(deeds);
    const ours = await sendAll(portFor(step, service), of(sent), connections);
    if (round < warmUpRounds) continue;
    shares.push((ours.perSecond * seconds) / size);
    tails.push(ours.p99 / ours.p50);
    if (step.operation !== "placeOrder" || forPgbench === undefined) continue;
    const theirs = await pgbench(forPgbench, customers, extent.seconds(2));
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

/** The step's requests, about what is there in that place. */
async function asks(
  step: Step,
  cast: Cast,
  place: Ports & { readonly ground: Ground },
): Promise<readonly string[]> {
  const { about } = step;
  const { data, databaseUrl } = place.ground;
  const ids = about === undefined ? [] : await withCore(data, databaseUrl, about);
  return requestsOf(step, cast, ids, portFor(step, place));
}
