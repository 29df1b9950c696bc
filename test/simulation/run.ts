import type { Clock } from "#server/ports/clock.ts";
import type { Errand } from "./draw-operations.ts";
import { calm, drawFault } from "./faults.ts";
import type { Ground } from "./ground.ts";
import { Judge } from "./judge.ts";
import { hourMs } from "./model/state.ts";
import { startProcess, type ServiceProcess } from "./process.ts";
import { Scheduler, type Task } from "./scheduler.ts";
import type { Script } from "./script.ts";
import { maxDeaths, prepareErrand, runErrand, troubledSendings, type Stage } from "./sender.ts";
import type { Tally } from "./tally.ts";

/** Far more than any run has: whoever gets here is caught in a circle. */
const maxSteps = 100_000;
/** How often somebody new comes although others could go on. */
const newcomers = 0.2;
/** Picked evenly, nobody would ever be overtaken by more than one other from beginning to end. */
const slowSenders = 0.25;
const slowTurns = 0.03;
/** Time goes by in small steps while people type, and while a process is started again. */
const pauseMs = 500;
const restartMs = 60_000;

/** The service, those who use it and what goes wrong, one step after the other. */
export class Run implements Stage {
  readonly judge: Judge;
  /** Everything that was decided and everything that happened, in order. */
  readonly trace: string[] = [];
  readonly ground: Ground;
  readonly tally: Tally;
  readonly #script: Script;
  readonly #scheduler = new Scheduler();
  readonly #clock: Clock = { now: () => this.judge.model.now };
  #process: ServiceProcess | undefined;
  #weather;
  #deaths = 0;
  #errands = 0;
  /** When it is, as soon as nobody is in the middle of a transaction. */
  #timeToBe: number | undefined;

  constructor(ground: Ground, script: Script, tally: Tally) {
    this.ground = ground;
    this.judge = new Judge(ground.cast);
    this.tally = tally;
    this.#script = script;
    this.#weather = script.weather;
  }

  get process(): ServiceProcess {
    if (this.#process === undefined) throw new Error("no process has been started");
    return this.#process;
  }

  /** Does everything in the script, and then what passes have to do until nothing is left to do. */
  async toTheEnd(): Promise<void> {
    await this.#startProcess();
    await this.#drive(() => this.#script.next());
    this.#weather = calm;
    const last: Errand[] = [[{ kind: "settle" }, { kind: "renew" }]];
    await this.#drive(() => {
      const errand = last.pop();
      return errand && { errand };
    });
    this.judge.judgeEnd(this.judge.model.now);
    this.#refuse();
  }

  /** Whatever is still in flight when a run has failed goes with its process. */
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
      await this.#scheduler.still();
      this.#refuse();
      const { tasks } = this.#scheduler;
      if (this.#letTimePass(tasks)) continue;
      const isRoom = tasks.length < this.#script.width && this.#timeToBe === undefined;
      const movable = tasks.filter((task) => this.#mayGoOn(task));
      const isNew = movable.length === 0 || this.#script.schedule.happens(newcomers);
      if (upcoming !== undefined && isRoom && isNew) {
        await this.#begin(upcoming);
        upcoming = next();
      } else if (movable.length > 0) await this.#letOneGoOn(movable);
      else if (tasks.length === 0) return;
      else throw new Error(`${tasks.map(({ name }) => name).join(", ")} will never end`);
    }
    throw new Error("the run does not come to an end");
  }

  /** Nobody begins a transaction while everybody waits for those under way to end. */
  #mayGoOn({ parked }: Task): boolean {
    return parked !== undefined && (this.#timeToBe === undefined || parked.gate !== "begin");
  }

  async #letOneGoOn(movable: readonly Task[]): Promise<void> {
    const { schedule, faults } = this.#script;
    if (this.#deaths < maxDeaths && faults.happens(this.#weather.death)) return this.#die();
    const quick = movable.filter(({ isSlow }) => !isSlow);
    const isSlowsTurn = quick.length === 0 || schedule.happens(slowTurns);
    const task = schedule.pick(isSlowsTurn ? movable : quick);
    const { gate = "send", label = "" } = task.parked ?? {};
    const isSpared = (task.attempt?.count ?? 0) > troubledSendings;
    const fault = drawFault(faults, gate, isSpared ? calm : this.#weather);
    if (fault !== undefined) this.tally.add("faults", `${fault} at ${gate}`);
    this.note(`${task.name} ${gate} ${label}${fault === undefined ? "" : ` ** ${fault}`}`);
    this.#scheduler.letThrough(task, fault);
  }

  async #begin({ errand, at }: { readonly errand: Errand; readonly at?: number }): Promise<void> {
    const { model } = this.judge;
    if ("kind" in errand) {
      this.#timeToBe = model.now + errand.hours * hourMs;
      return;
    }
    // In the middle of a transaction time stands still, so that the model knows when it happened.
    if (at !== undefined) model.now = at;
    else if (!this.#isWriting) model.now += this.#script.schedule.below(pauseMs);
    this.#errands += 1;
    const prepared = await prepareErrand(this, errand);
    this.#scheduler.start(
      { name: `#${this.#errands}`, isSlow: this.#script.schedule.happens(slowSenders) },
      (task) => runErrand(this, task, prepared),
      (error) => this.judge.complain(`the simulation itself: ${String(error)}`),
    );
  }

  get #isWriting(): boolean {
    const isInLine = this.#scheduler.tasks.some(({ attempt }) => attempt?.isInLine === true);
    return isInLine || this.process.inWork !== undefined;
  }

  #letTimePass(tasks: readonly Task[]): boolean {
    if (this.#timeToBe === undefined || this.#isWriting) return false;
    this.note(`${tasks.length} wait while time passes until ${this.#timeToBe}`);
    this.judge.model.now = this.#timeToBe;
    this.#timeToBe = undefined;
    return true;
  }

  async #die(): Promise<void> {
    const { model } = this.judge;
    this.#deaths += 1;
    this.tally.add("deaths", `with ${this.#scheduler.tasks.length} in flight`);
    this.note("** the process dies");
    this.ground.leaveToNext();
    await this.#scheduler.kill(this.process);
    await this.process.real.close();
    // A new process numbers its identifiers anew, so it must not begin in the same millisecond.
    model.now += 1 + this.#script.schedule.below(restartMs);
    await this.#startProcess();
  }

  async #startProcess(): Promise<void> {
    const real = await this.ground.open();
    this.#process = startProcess(real, this.ground.queries, this.#clock, this.#script.random);
  }

  #refuse(): void {
    if (this.judge.complaint !== undefined) throw new Error(this.judge.complaint);
  }
}
