import type { Ground } from "./ground.ts";
import { show, type Judge, type Sending } from "./judge.ts";
import { aim } from "./model/aim.ts";
import { findWork, type FoundWork } from "./model/model-desk.ts";
import type { Request } from "./model/operations.ts";
import { perform, type Ending, type Subject } from "./perform.ts";
import { findWorkId } from "./perform-desk.ts";
import type { ServiceProcess } from "./process.ts";
import type { Task } from "./scheduler.ts";
import type { Tally } from "./tally.ts";

/** From here on nothing goes wrong for a sender, so that every run comes to an end. */
export const troubledSendings = 4;
export const maxDeaths = 3;
const maxSendings = troubledSendings + maxDeaths + 1;

/** Where senders do what they do. */
export interface Stage {
  readonly judge: Judge;
  readonly ground: Ground;
  readonly tally: Tally;
  /** The one that runs now. */
  readonly process: ServiceProcess;
  note(line: string): void;
}

/** A request, and what it is about on both sides: it stays that, however often it is sent. */
interface Prepared {
  readonly operation: Request;
  readonly subject: Subject;
  readonly work: FoundWork | undefined;
}

export async function prepareErrand(
  stage: Stage,
  requests: readonly Request[],
): Promise<readonly Prepared[]> {
  const prepared: Prepared[] = [];
  for (const request of requests)
    prepared.push(await prepare(stage, aim(stage.judge.model, request)));
  return prepared;
}

async function prepare({ judge, process, ground }: Stage, operation: Request): Promise<Prepared> {
  const { serverIds } = judge;
  const serverId =
    "server" in operation ? serverIds[operation.account]?.[operation.server] : undefined;
  const subject = { serverId: serverId ?? "srv_none", workId: "wrk_none" };
  if (operation.kind !== "desk") return { operation, subject, work: undefined };
  const { item } = operation;
  const workId = await findWorkId(process.real, ground.cast, item, serverIds);
  const work = findWork(judge.model, item);
  if ((workId === undefined) !== (work === undefined)) {
    judge.complain(`${show(operation)} is about ${workId ?? "nothing"}, the model says otherwise`);
  }
  return { operation, subject: { ...subject, workId: workId ?? subject.workId }, work };
}

export async function runErrand(
  stage: Stage,
  task: Task,
  requests: readonly Prepared[],
): Promise<void> {
  for (const request of requests) {
    stage.tally.add("operations", request.operation.kind);
    await sendUntilAnswered(stage, task, request);
  }
}

/** As a good client does it: the same request with the same key, until there is an answer to it. */
async function sendUntilAnswered(stage: Stage, task: Task, prepared: Prepared): Promise<void> {
  const { operation } = prepared;
  for (let count = 1; count <= maxSendings; count += 1) {
    await task.scheduler.gate(task, "send", `${count} ${show(operation)}`);
    if (count > 1) stage.tally.add("sent again", operation.kind);
    if ((await sendOnce(stage, task, prepared, count)) === "done") return;
  }
  stage.judge.complain(`${show(operation)} was never answered`);
}

async function sendOnce(
  stage: Stage,
  task: Task,
  { operation, subject, work }: Prepared,
  count: number,
): Promise<"done" | "again"> {
  const { judge, process, ground } = stage;
  const occasion = { askedAt: judge.model.now, work };
  const sending = judge.sending(process, operation, occasion, count);
  task.attempt = sending;
  const ending = await endingOf(perform(process.core, ground.cast, operation, subject));
  task.attempt = undefined;
  if (process.isDead) return "again";
  const next = judge.heard(sending, ending);
  const [heard, detail] = describe(sending, ending);
  stage.note(`${task.name} hears ${heard} ${detail}`);
  stage.tally.add("answers", heard);
  return next;
}

async function endingOf(performed: Promise<Ending>): Promise<Ending | { readonly error: unknown }> {
  try {
    return await performed;
  } catch (error) {
    return { error };
  }
}

/** In a word that is counted, and with what a reader of the run wants to know, ids included. */
function describe(
  { decided }: Sending,
  ending: Ending | { readonly error: unknown },
): readonly [string, string] {
  if ("error" in ending) return ["no answer", String(ending.error)];
  if ("failures" in ending) {
    const { failures } = ending;
    return [failures.length === 0 ? "pass done" : "pass troubled", failures.map(String).join("; ")];
  }
  const { result } = ending;
  return result.ok ? [decided ?? "ok", JSON.stringify(result.value)] : [result.refusal.code, ""];
}
