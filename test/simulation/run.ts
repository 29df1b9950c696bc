import type { Clock } from "#server/ports/clock.ts";
import type { Workflow } from "./draw-operations.ts";
import { noFaults, drawFault } from "./faults.ts";
import type { RunDatabase } from "./run-database.ts";
import { ModelChecker } from "./model-checker.ts";
import { latestPayout, type OperationOf } from "./model/operations.ts";
import { hourMs, laterPrice } from "./model/state.ts";
import { startProcess, type ServiceProcess } from "./process.ts";
import { Scheduler, type Task } from "./scheduler.ts";
import type { Script } from "./script.ts";
import {
  maxCrashes,
  prepareWorkflow,
  runWorkflow,
  maxFaultyAttempts,
  type RunContext,
} from "./client.ts";
import type { Tally } from "./tally.ts";

/** Far more than any run needs. A run that reaches it is in an endless loop. */
const maxSteps = 100_000;
/** Probability that a new client starts although others could proceed. */
const newClientProbability = 0.2;
/** Slow clients let others finish several requests while one is in flight. Even picking would rarely do that. */
const slowClientProbability = 0.25;
const slowTurnProbability = 0.03;
/** Longest time that passes before a client starts. */
const pauseMs = 500;
/** Longest time that a restart takes. */
const restartMs = 60_000;

const lastFollow = {
  kind: "follow",
  payout: latestPayout,
  confirmations: 0,
  isSpentElsewhere: false,
} as const;

/** Runs the service, its clients and the faults of one script, one step at a time. */
export class Run implements RunContext {
  readonly checker: ModelChecker;
  /** All decisions and events, in order. */
  readonly trace: string[] = [];
  readonly runDatabase: RunDatabase;
  readonly tally: Tally;
  readonly #script: Script;
  readonly #scheduler = new Scheduler();
  readonly #clock: Clock = { now: () => this.checker.model.now };
  #process: ServiceProcess | undefined;
  #faultProfile;
  #crashes = 0;
  #workflows = 0;
  /** The time to set as soon as no transaction is open. */
  #pendingTime: number | undefined;

  constructor(runDatabase: RunDatabase, script: Script, tally: Tally) {
    this.runDatabase = runDatabase;
    this.checker = new ModelChecker(runDatabase.fixture);
    this.tally = tally;
    this.#script = script;
    this.#faultProfile = script.faultProfile;
  }

  get process(): ServiceProcess {
    if (this.#process === undefined) throw new Error("The service process has not been started.");
    return this.#process;
  }

  /** Runs the script, then one pass of settlement, renewals and payouts without faults. */
  async runToEnd(): Promise<void> {
    await this.#startProcess();
    await this.#drive(() => this.#script.next());
    this.#faultProfile = noFaults;
    const last: Workflow[] = [[{ kind: "settle" }, { kind: "renew" }, lastFollow]];
    await this.#drive(() => {
      const workflow = last.pop();
      return workflow && { workflow };
    });
    this.checker.checkFinalState(this.checker.model.now);
    this.#throwViolation();
  }

  /** Stops the process and everything still in flight after a failed run. */
  async close(): Promise<void> {
    if (this.#process === undefined) return;
    await this.#scheduler.kill(this.#process);
    await this.#process.real.close();
  }

  note(line: string): void {
    this.trace.push(line);
  }

  async #drive(next: Script["next"]): Promise<void> {
    let upcoming = next();
    for (let step = 0; step < maxSteps; step += 1) {
      await this.#scheduler.whenIdle();
      this.#throwViolation();
      const { tasks } = this.#scheduler;
      if (this.#advanceTime(tasks)) continue;
      const isRoom = tasks.length < this.#script.maxClients && this.#pendingTime === undefined;
      const ready = tasks.filter((task) => this.#canProceed(task));
      const isNew = ready.length === 0 || this.#script.schedule.happens(newClientProbability);
      if (upcoming !== undefined && isRoom && isNew) {
        await this.#startWorkflow(upcoming);
        upcoming = next();
      } else if (ready.length > 0) await this.#advanceOne(ready);
      else if (tasks.length === 0) return;
      else throw new Error(`Deadlock: ${tasks.map(({ name }) => name).join(", ")} cannot proceed.`);
    }
    throw new Error(`The run did not end within ${maxSteps} steps.`);
  }

  /** No transaction may begin while a time change waits for open transactions to end. */
  #canProceed({ parked }: Task): boolean {
    return parked !== undefined && (this.#pendingTime === undefined || parked.gate !== "begin");
  }

  async #advanceOne(ready: readonly Task[]): Promise<void> {
    const { schedule, faults } = this.#script;
    if (this.#crashes < maxCrashes && faults.happens(this.#faultProfile.crash))
      return this.#crash();
    const fast = ready.filter(({ isSlow }) => !isSlow);
    const mayPickSlow = fast.length === 0 || schedule.happens(slowTurnProbability);
    const task = schedule.pick(mayPickSlow ? ready : fast);
    const { gate = "send", label = "" } = task.parked ?? {};
    const isFaultFree = (task.attempt?.count ?? 0) > maxFaultyAttempts;
    const fault = drawFault(faults, gate, isFaultFree ? noFaults : this.#faultProfile);
    if (fault !== undefined) this.tally.add("faults", `${fault} at ${gate}`);
    this.note(`${task.name} ${gate} ${label}${fault === undefined ? "" : ` ** ${fault}`}`);
    this.#scheduler.proceed(task, fault);
  }

  async #startWorkflow({
    workflow,
    at,
  }: {
    readonly workflow: Workflow;
    readonly at?: number;
  }): Promise<void> {
    const { model } = this.checker;
    if ("kind" in workflow) {
      this.#pendingTime = timeAfter(workflow, model.now);
      return;
    }
    // Time must not change during a transaction, so that the model applies it at the same time.
    if (at !== undefined) model.now = at;
    else if (!this.#isWriting) model.now += this.#script.schedule.below(pauseMs);
    this.#workflows += 1;
    const prepared = await prepareWorkflow(this, workflow);
    this.#scheduler.start(
      { name: `#${this.#workflows}`, isSlow: this.#script.schedule.happens(slowClientProbability) },
      (task) => runWorkflow(this, task, prepared),
      (error) => this.checker.reportViolation(`the simulation itself failed: ${String(error)}`),
    );
  }

  get #isWriting(): boolean {
    const isQueued = this.#scheduler.tasks.some(({ attempt }) => attempt?.isQueued === true);
    return isQueued || this.process.activeWriter !== undefined;
  }

  #advanceTime(tasks: readonly Task[]): boolean {
    if (this.#pendingTime === undefined || this.#isWriting) return false;
    this.note(`time advances to ${this.#pendingTime} while ${tasks.length} wait`);
    this.checker.model.now = this.#pendingTime;
    this.#pendingTime = undefined;
    return true;
  }

  async #crash(): Promise<void> {
    const { model } = this.checker;
    this.#crashes += 1;
    this.tally.add("crashes", `with ${this.#scheduler.tasks.length} in flight`);
    this.note("** the process crashes");
    this.runDatabase.saveCrashState();
    await this.#scheduler.kill(this.process);
    await this.process.real.close();
    // A new process restarts its id counter, so it must not start in the same millisecond.
    model.now += 1 + this.#script.schedule.below(restartMs);
    await this.#startProcess();
  }

  async #startProcess(): Promise<void> {
    const real = await this.runDatabase.open();
    const { queries } = this.runDatabase;
    const { network } = this.checker;
    this.#process = startProcess(real, { queries, network }, this.#clock, this.#script.random);
  }

  #throwViolation(): void {
    if (this.checker.violation !== undefined) throw new Error(this.checker.violation);
  }
}

/** The price changes once. Without a change ahead, no time passes. */
function timeAfter(wait: OperationOf<"wait" | "waitForPrice">, now: number): number {
  if (wait.kind === "wait") return now + wait.hours * hourMs;
  return Math.max(now, laterPrice.from - (wait.isBefore ? 1 : 0));
}
