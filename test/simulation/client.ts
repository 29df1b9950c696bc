import type { RunDatabase } from "./run-database.ts";
import { show, type ModelChecker, type RequestAttempt } from "./model-checker.ts";
import { choosePayout, chooseTarget } from "./model/choose-target.ts";
import { findWork, type FoundWork } from "./model/model-work.ts";
import type { Request, WorkItem } from "./model/operations.ts";
import type { ModelWithdrawal } from "./model/state.ts";
import { perform, type PerformResult } from "./perform.ts";
import { noPayout, noSubject, type Subject } from "./subject.ts";
import { sentBy } from "./model/model-access.ts";
import { findWorkId } from "./perform-operator.ts";
import type { ServiceProcess } from "./process.ts";
import type { Task } from "./scheduler.ts";
import type { Tally } from "./tally.ts";

/** Attempts after this number have no faults, so that every run ends. */
export const maxFaultyAttempts = 4;
export const maxCrashes = 3;
const maxAttempts = maxFaultyAttempts + maxCrashes + 1;

export interface RunContext {
  readonly checker: ModelChecker;
  readonly runDatabase: RunDatabase;
  readonly tally: Tally;
  /** The current process. */
  readonly process: ServiceProcess;
  note(line: string): void;
}

/** A request with the service's ids and the model's work item, which stay the same for all attempts. */
interface Prepared {
  readonly operation: Request;
  readonly subject: Subject;
  readonly work: FoundWork | undefined;
  readonly reviews: readonly (ModelWithdrawal | undefined)[];
}

export async function prepareWorkflow(
  context: RunContext,
  requests: readonly Request[],
): Promise<readonly Prepared[]> {
  const prepared: Prepared[] = [];
  for (const request of requests)
    prepared.push(await prepare(context, chooseTarget(context.checker.model, request)));
  return prepared;
}

async function prepare(context: RunContext, operation: Request): Promise<Prepared> {
  const { serverIds } = context.checker;
  const serverId =
    "server" in operation ? serverIds[operation.account]?.[operation.server] : undefined;
  const subject = { ...noSubject, ...(serverId !== undefined && { serverId }) };
  if (operation.kind === "prepare") {
    const found: Found[] = [];
    for (const item of operation.items) found.push(await find(context, operation, item));
    const workIds = found.map(({ workId }) => workId);
    const reviews = found.map(({ work }) => work?.withdrawal);
    return { operation, subject: { ...subject, workIds }, work: undefined, reviews };
  }
  if (operation.kind !== "workStep") return { operation, subject, work: undefined, reviews: [] };
  const { workId, work } = await find(context, operation, operation.item);
  const destination = work?.withdrawal?.destination ?? "";
  return { operation, subject: { ...subject, workId, destination }, work, reviews: [] };
}

interface Found {
  readonly workId: string;
  readonly work: FoundWork | undefined;
}

/** Finds a work item in the database and in the model. */
async function find(
  { checker, process, runDatabase }: RunContext,
  operation: Request,
  item: WorkItem,
): Promise<Found> {
  const { serverIds } = checker;
  const workId = await findWorkId(process.real, runDatabase.fixture, item, serverIds);
  const work = findWork(checker.model, item);
  if ((workId === undefined) !== (work === undefined)) {
    const [stored, modelled] = [workId ?? "none", work === undefined ? "none" : "one"];
    checker.reportViolation(
      `${show(operation)}: work item in the database: ${stored}, model: ${modelled}`,
    );
  }
  return { workId: workId ?? noSubject.workId, work };
}

export async function runWorkflow(
  context: RunContext,
  task: Task,
  requests: readonly Prepared[],
): Promise<void> {
  for (const request of requests) {
    context.tally.add("operations", request.operation.kind);
    await sendUntilAnswered(context, task, withPayout(context, request));
  }
}

/** Only now is the payout known that this client has just prepared. */
function withPayout({ checker }: RunContext, prepared: Prepared): Prepared {
  const { operation: request, subject } = prepared;
  if (request.kind !== "payoutStep" && request.kind !== "follow") return prepared;
  const operation = choosePayout(checker.model, request);
  const payout = checker.payouts[operation.payout] ?? noPayout;
  const isSent = checker.model.payouts[operation.payout]?.state === "BROADCAST";
  // The coins of a payout that was not sent stay where they are.
  if (operation.kind === "follow" && operation.isSpentElsewhere && !isSent) {
    return { ...prepared, operation: { ...operation, isSpentElsewhere: false } };
  }
  return { ...prepared, operation, subject: { ...subject, payout } };
}

/** Retries the same request with the same key until there is an answer, as a good client does. */
async function sendUntilAnswered(
  context: RunContext,
  task: Task,
  prepared: Prepared,
): Promise<void> {
  const { operation } = prepared;
  for (let count = 1; count <= maxAttempts; count += 1) {
    await task.scheduler.gate(task, "send", `${count} ${show(operation)}`);
    if (count > 1) context.tally.add("retries", operation.kind);
    if ((await sendOnce(context, task, prepared, count)) === "done") return;
  }
  context.checker.reportViolation(`${show(operation)} was never answered`);
}

async function sendOnce(
  context: RunContext,
  task: Task,
  { operation, subject, work, reviews }: Prepared,
  count: number,
): Promise<"done" | "retry"> {
  const { checker, process, runDatabase } = context;
  const sent = sentBy(checker.model, operation);
  const requestContext = { requestedAt: checker.model.now, work, reviews, sent };
  const requestAttempt = checker.startAttempt(process, operation, requestContext, count);
  task.attempt = requestAttempt;
  const performResult = await endingOf(
    perform(process, runDatabase.fixture, operation, { ...subject, sent }),
  );
  task.attempt = undefined;
  if (process.hasCrashed) return "retry";
  const next = checker.checkEnd(requestAttempt, performResult);
  const [outcome, detail] = describe(requestAttempt, performResult);
  context.note(`${task.name} gets ${outcome} ${detail}`);
  context.tally.add("answers", outcome);
  return next;
}

async function endingOf(
  performed: Promise<PerformResult>,
): Promise<PerformResult | { readonly error: unknown }> {
  try {
    return await performed;
  } catch (error) {
    return { error };
  }
}

/** Returns the outcome for the tally and details, such as ids, for the trace. */
function describe(
  { decided }: RequestAttempt,
  performResult: PerformResult | { readonly error: unknown },
): readonly [string, string] {
  if ("error" in performResult) return ["no answer", String(performResult.error)];
  if ("failures" in performResult) {
    const { failures } = performResult;
    return [failures.length === 0 ? "pass done" : "pass failed", failures.map(String).join("; ")];
  }
  const { result } = performResult;
  return result.ok ? [decided ?? "ok", JSON.stringify(result.value)] : [result.refusal.code, ""];
}
