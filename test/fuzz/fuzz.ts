import type { Engine } from "#server/ports/db.ts";
import type { Coverage } from "./coverage.ts";
import { bytesOf, operationOf, piecesOf, type Draft } from "./draft.ts";
import { startFuzzedService, type FuzzedService } from "./fuzzed-service.ts";
import { MalformedAnswer, type WireAnswer } from "./http-answers.ts";
import { codeOf, faultsOf, type Asked } from "./judge-answer.ts";
import { learn, putBack } from "./learn.ts";
import { planRequest } from "./plan.ts";
import { describeFailure, shown } from "./report.ts";
import { Hang, NoAnswer, Wire } from "./wire.ts";

export interface FuzzOptions {
  readonly engine: Engine;
  readonly seed: number;
  readonly requests: number;
  /** The first request's number; with one request it is that one alone. */
  readonly from?: number;
  readonly watchesMemory?: boolean;
  readonly coverage: Coverage;
  /** Told at once, since a long run may go on for an hour after it. */
  readonly onFailure?: (failure: string) => void;
  readonly onProgress?: (done: number, failures: number) => void;
}

export interface FuzzResult {
  /** A text for each request that went wrong, with all that is needed to send it again. */
  readonly failures: readonly string[];
  /** Bytes in use after a collection, at each quarter of the requests. */
  readonly memory: readonly number[];
}

const workers = 8;
/** Whatever is wrong, so many examples of it are enough. */
const maxFailures = 10;
const largestPipeline = 4;

/** Sends so many requests to a service of its own and judges every answer. */
export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const service = await startFuzzedService(options);
  const run = new Run(service, options);
  try {
    await run.all();
    const left = await service.faults();
    for (const fault of left) options.onFailure?.(fault);
    return { failures: [...run.failures, ...left], memory: run.memory };
  } finally {
    await service.stop();
  }
}

interface Sent {
  readonly draft: Draft;
  readonly bytes: Buffer;
}

type Batch = readonly [Sent, ...Sent[]];

class Run {
  readonly failures: string[] = [];
  readonly memory: number[] = [];
  readonly #service: FuzzedService;
  readonly #options: FuzzOptions;
  readonly #hosts: { account: string; operator: string };
  /** What went down a connection last: what is wrong with an answer may be its doing. */
  readonly #latest = new WeakMap<Wire, Batch>();
  #next: number;
  #last = 0;

  constructor(service: FuzzedService, options: FuzzOptions) {
    this.#service = service;
    this.#options = options;
    this.#next = options.from ?? 0;
    const host = (side: "account" | "operator") => `localhost:${service.targets[side].port}`;
    this.#hosts = { account: host("account"), operator: host("operator") };
  }

  /** In four quarters, with a look at the memory after each. */
  async all(): Promise<void> {
    const first = this.#next;
    for (let quarter = 1; quarter <= 4; quarter += 1) {
      this.#last = first + Math.ceil((this.#options.requests * quarter) / 4);
      await Promise.all(Array.from({ length: workers }, () => this.#work()));
      if (this.#options.watchesMemory === true) this.memory.push(await this.#service.memoryInUse());
    }
  }

  async #work(): Promise<void> {
    const wires: Partial<Record<"account" | "operator", Wire>> = {};
    while (this.#next < this.#last && this.failures.length < maxFailures) {
      for (const batch of groupsOf(await this.#plan())) {
        const { listener, isOdd } = batch[0].draft;
        const known = wires[listener];
        const isFresh = isOdd || known?.isUsable !== true;
        const wire = isFresh ? await Wire.open(this.#service.targets[listener]) : known;
        await this.#send(wire, batch, isOdd);
        this.#latest.set(wire, batch);
        if (isOdd) wire.close();
        else wires[listener] = wire;
      }
    }
    for (const wire of Object.values(wires)) wire.close();
  }

  /** Mostly one request; sometimes a few that are sent without waiting for the answers. */
  async #plan(): Promise<readonly Sent[]> {
    const isPipeline = this.#next % 32 === 0;
    const end = Math.min(this.#last, this.#next + (isPipeline ? largestPipeline : 1));
    const numbers = Array.from({ length: end - this.#next }, (_, index) => this.#next + index);
    this.#next = end;
    const planned: Sent[] = [];
    for (const number of numbers) {
      const { seed } = this.#options;
      const draft = await planRequest(this.#service.world, seed, number, this.#hosts);
      planned.push({ draft, bytes: bytesOf(draft) });
    }
    return planned;
  }

  async #send(wire: Wire, batch: Batch, isOdd: boolean): Promise<void> {
    const pieces = batch.flatMap(({ draft, bytes }) => piecesOf(bytes, draft));
    const asked = isOdd ? batch.flatMap(({ bytes }) => askedIn(bytes)) : batch.map(askedBy);
    const methods = asked.map(({ method }) => method);
    try {
      const answers = isOdd
        ? await wire.exchangeOdd(pieces, methods)
        : await wire.exchange(pieces, methods);
      if (answers.length === 0) this.#options.coverage.unanswered += 1;
      for (const [index, answer] of answers.entries()) {
        await this.#judge(batch[index] ?? batch.at(-1), index, asked[index], answer, isOdd);
      }
    } catch (error) {
      if (!(error instanceof Hang || error instanceof NoAnswer || error instanceof MalformedAnswer))
        throw error;
      wire.close();
      const before = this.#latest.get(wire)?.map(({ bytes }) => shown(bytes)) ?? ["nothing"];
      const fault = `${error.name}: ${error.message}; before it: ${before.join("; then ")}`;
      for (const sent of batch) this.#fail(sent, [fault], undefined);
    } finally {
      for (const { draft } of batch) {
        if (draft.actor !== undefined) putBack(this.#service.world, draft.actor);
      }
      this.#options.onProgress?.(this.#next, this.failures.length);
    }
  }

  async #judge(
    sent: Sent | undefined,
    index: number,
    asked: Asked | undefined,
    answer: WireAnswer,
    isOdd: boolean,
  ): Promise<void> {
    if (sent === undefined) return;
    const { draft } = sent;
    // Of what cannot be told apart any more, only the first answer is surely to the first request.
    const known = isOdd && index > 0 ? undefined : asked;
    const faults = faultsOf(this.#service.oracles[draft.listener], known, answer);
    if (faults.length > 0) this.#fail(sent, faults, answer);
    const { coverage } = this.#options;
    coverage.noteMutations(draft.mutations);
    if (isOdd && index > 0) return;
    coverage.count(operationOf(draft), answer.status, codeOf(answer));
    await learn(this.#service.world, draft, answer);
  }

  #fail({ draft, bytes }: Sent, faults: readonly string[], answer: WireAnswer | undefined): void {
    if (this.failures.length >= maxFailures) return;
    const failure = describeFailure({ ...this.#options, draft, bytes, faults, answer });
    this.failures.push(failure);
    this.#options.onFailure?.(failure);
  }
}

/** What goes down one connection together: one that is odd stays alone. */
function groupsOf(planned: readonly Sent[]): readonly Batch[] {
  const groups = Map.groupBy(planned, ({ draft }) =>
    draft.isOdd ? `odd ${draft.number}` : draft.listener,
  );
  return [...groups.values()] as unknown as readonly Batch[];
}

function askedBy({ draft: { method, path } }: Sent): Asked {
  return { method, path };
}

/** Request lines that are still to be seen in bytes that may be anything. */
function askedIn(bytes: Buffer): readonly Asked[] {
  const line = /^(?:\r?\n)*([!-~]+) ([!-~\x80-\xff]+) HTTP\/\d\.\d\r?\n/;
  const match = line.exec(bytes.toString("latin1"));
  return match === null ? [] : [{ method: match[1] ?? "", path: match[2]?.split("?")[0] ?? "" }];
}
