import type { Engine } from "#server/ports/db.ts";
import type { Coverage } from "./coverage.ts";
import { bytesOf, operationOf, piecesOf, type Draft } from "./draft.ts";
import { startFuzzedService, type FuzzedService } from "./fuzzed-service.ts";
import { MalformedAnswer, type WireAnswer } from "./http-answers.ts";
import { codeOf, faultsOf, type RequestLine } from "./check-answer.ts";
import { updateWorld, returnToPool } from "./update-world.ts";
import { planRequest } from "./plan-request.ts";
import { describeFailure, shown } from "./report.ts";
import { Hang, NoAnswer, Wire } from "./wire.ts";

export interface FuzzOptions {
  readonly engine: Engine;
  readonly seed: number;
  readonly requests: number;
  /** The number of the first request. */
  readonly from?: number;
  readonly watchesMemory?: boolean;
  readonly coverage: Coverage;
  /** Called at once, because a long run may continue for an hour. */
  readonly onFailure?: (failure: string) => void;
  readonly onProgress?: (done: number, failures: number) => void;
}

export interface FuzzResult {
  /** One description per failed request, with everything needed to repeat it. */
  readonly failures: readonly string[];
  /** Bytes in use after a garbage collection, after each quarter of the requests. */
  readonly memory: readonly number[];
}

const workers = 8;
/** The run stops after this many failures. */
const maxFailures = 10;
const largestPipeline = 4;

/** Starts a service, sends the requests and checks every answer. */
export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const service = await startFuzzedService(options);
  const run = new Run(service, options);
  try {
    await run.all();
    const faults = await service.faults();
    for (const fault of faults) options.onFailure?.(fault);
    return { failures: [...run.failures, ...faults], memory: run.memory };
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
  /** The previous batch on a connection, which may have caused a failure of the next one. */
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

  /** Sends the requests in four quarters and measures memory after each. */
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
        const { listener, mayEndConnection } = batch[0].draft;
        const known = wires[listener];
        const isFresh = mayEndConnection || known?.isUsable !== true;
        const wire = isFresh ? await Wire.open(this.#service.targets[listener]) : known;
        await this.#send(wire, batch, mayEndConnection);
        this.#latest.set(wire, batch);
        if (mayEndConnection) wire.close();
        else wires[listener] = wire;
      }
    }
    for (const wire of Object.values(wires)) wire.close();
  }

  /** Plans one request, or sometimes a pipeline of several. */
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

  async #send(wire: Wire, batch: Batch, mayEndConnection: boolean): Promise<void> {
    const pieces = batch.flatMap(({ draft, bytes }) => piecesOf(bytes, draft));
    const requestLines = mayEndConnection
      ? batch.flatMap(({ bytes }) => requestLineIn(bytes))
      : batch.map(requestLineOf);
    const methods = requestLines.map(({ method }) => method);
    try {
      const answers = mayEndConnection
        ? await wire.exchangeUntilClosed(pieces, methods)
        : await wire.exchange(pieces, methods);
      if (answers.length === 0) this.#options.coverage.unanswered += 1;
      for (const [index, answer] of answers.entries()) {
        await this.#check(
          batch[index] ?? batch.at(-1),
          index,
          requestLines[index],
          answer,
          mayEndConnection,
        );
      }
    } catch (error) {
      if (!(error instanceof Hang || error instanceof NoAnswer || error instanceof MalformedAnswer))
        throw error;
      wire.close();
      const before = this.#latest.get(wire)?.map(({ bytes }) => shown(bytes)) ?? ["none"];
      const fault = `${error.name}: ${error.message}; previous requests: ${before.join("; then ")}`;
      for (const sent of batch) this.#fail(sent, [fault], undefined);
    } finally {
      for (const { draft } of batch) {
        if (draft.actor !== undefined) returnToPool(this.#service.world, draft.actor);
      }
      this.#options.onProgress?.(this.#next, this.failures.length);
    }
  }

  async #check(
    sent: Sent | undefined,
    index: number,
    requestLine: RequestLine | undefined,
    answer: WireAnswer,
    mayEndConnection: boolean,
  ): Promise<void> {
    if (sent === undefined) return;
    const { draft } = sent;
    // Malformed bytes may contain several requests. Only the first answer surely belongs to the first one.
    const known = mayEndConnection && index > 0 ? undefined : requestLine;
    const faults = faultsOf(this.#service.oracles[draft.listener], known, answer);
    if (faults.length > 0) this.#fail(sent, faults, answer);
    const { coverage } = this.#options;
    coverage.addMutations(draft.mutations);
    if (mayEndConnection && index > 0) return;
    coverage.count(operationOf(draft), answer.status, codeOf(answer));
    await updateWorld(this.#service.world, draft, answer);
  }

  #fail({ draft, bytes }: Sent, faults: readonly string[], answer: WireAnswer | undefined): void {
    if (this.failures.length >= maxFailures) return;
    const failure = describeFailure({ ...this.#options, draft, bytes, faults, answer });
    this.failures.push(failure);
    this.#options.onFailure?.(failure);
  }
}

/** Groups requests by connection. A request that may end its connection gets its own. */
function groupsOf(planned: readonly Sent[]): readonly Batch[] {
  const groups = Map.groupBy(planned, ({ draft }) =>
    draft.mayEndConnection ? `request ${draft.number}` : draft.listener,
  );
  return [...groups.values()] as unknown as readonly Batch[];
}

function requestLineOf({ draft: { method, path } }: Sent): RequestLine {
  return { method, path };
}

/** Finds the request line in bytes that may be malformed. */
function requestLineIn(bytes: Buffer): readonly RequestLine[] {
  const line = /^(?:\r?\n)*([!-~]+) ([!-~\x80-\xff]+) HTTP\/\d\.\d\r?\n/;
  const match = line.exec(bytes.toString("latin1"));
  return match === null ? [] : [{ method: match[1] ?? "", path: match[2]?.split("?")[0] ?? "" }];
}
