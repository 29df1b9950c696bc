import { codeOf, httpsClient, type Answer, type Send } from "#test/https-client.ts";
import { planNext, type RequestKind, type PlannedRequest } from "./request-kinds.ts";
import type { Workload } from "./workload.ts";
import type { Tally } from "./tally.ts";

/** Longer than any answer takes, even during an outage. */
const timeoutMs = 60_000;

export interface Outcome {
  readonly kind: RequestKind;
  readonly planned: PlannedRequest;
  /** Undefined when no answer arrived. */
  readonly answer: Answer | undefined;
  readonly ms: number;
}

/** Sends the workload's requests over keep-alive connections, as browsers do. */
export class Sender {
  readonly #workload: Workload;
  readonly #sides: Readonly<Record<PlannedRequest["side"], { send: Send; close(): void }>>;

  constructor(workload: Workload, where: { url: string; operatorUrl: string; ca: string }) {
    this.#workload = workload;
    this.#sides = {
      account: httpsClient(where.url, where.ca),
      operator: httpsClient(where.operatorUrl, where.ca),
    };
  }

  /** Latency counts from the intended time, so that stalls are included (no coordinated omission). */
  async sendNext(intendedAt = performance.now()): Promise<Outcome> {
    const { kind, planned } = planNext(this.#workload);
    const answer = await withTimeout(this.#send(planned));
    if (answer?.status === planned.expected) planned.onAnswer?.(answer);
    else planned.onOther?.();
    return { kind, planned, answer, ms: performance.now() - intendedAt };
  }

  #send({ side, method, path, body, as, key }: PlannedRequest): Promise<Answer> {
    const headers = {
      ...(as !== undefined && { cookie: as.cookie }),
      ...(as !== undefined && method !== "GET" && { "x-csrf-token": as.csrfToken }),
      ...(key !== undefined && { "idempotency-key": key }),
    };
    return this.#sides[side].send(method, path, { headers, ...(body !== undefined && { body }) });
  }

  close(): void {
    for (const side of Object.values(this.#sides)) side.close();
  }
}

export function recordOutcome(tally: Tally, { kind, planned, answer, ms }: Outcome): void {
  if (answer?.status === planned.expected) tally.addExpected(kind, ms);
  else tally.addUnexpected(kind, nameOf(answer));
}

function nameOf(answer: Answer | undefined): string {
  return answer === undefined ? "no answer" : `${answer.status} ${codeOf(answer) ?? ""}`;
}

async function withTimeout(sending: Promise<Answer>): Promise<Answer | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), timeoutMs);
  try {
    return await Promise.race([sending.catch(() => undefined), promise]);
  } finally {
    clearTimeout(timer);
  }
}
