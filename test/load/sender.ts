import { codeOf, httpsClient, type Answer, type Send } from "#test/https-client.ts";
import { planNext, type KindName, type Planned } from "./kinds.ts";
import type { Market } from "./market.ts";
import type { Tally } from "./tally.ts";

/** Longer than anything may take here, outages included: no answer by then is none. */
const answerMs = 60_000;

/** How one request ended. Undefined for an answer: none came. */
export interface Outcome {
  readonly kind: KindName;
  readonly planned: Planned;
  readonly answer: Answer | undefined;
  readonly ms: number;
}

/** Sends what the market plans next, as browsers do: over a few hundred connections that are kept. */
export class Sender {
  readonly #market: Market;
  readonly #sides: Readonly<Record<Planned["side"], { send: Send; close(): void }>>;

  constructor(market: Market, where: { url: string; operatorUrl: string; ca: string }) {
    this.#market = market;
    this.#sides = {
      account: httpsClient(where.url, where.ca),
      desk: httpsClient(where.operatorUrl, where.ca),
    };
  }

  /** The time counts from when it should have been sent, so that a stall is not left out. */
  async sendNext(intendedAt = performance.now()): Promise<Outcome> {
    const { kind, planned } = planNext(this.#market);
    const answer = await withTimeout(this.#send(planned));
    if (answer?.status === planned.expected) planned.onAnswer?.(answer);
    else planned.onOther?.();
    return { kind, planned, answer, ms: performance.now() - intendedAt };
  }

  #send({ side, method, path, body, as, key }: Planned): Promise<Answer> {
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

export function count(tally: Tally, { kind, planned, answer, ms }: Outcome): void {
  if (answer?.status === planned.expected) tally.expected(kind, ms);
  else tally.other(kind, nameOf(answer));
}

function nameOf(answer: Answer | undefined): string {
  return answer === undefined ? "no answer" : `${answer.status} ${codeOf(answer) ?? ""}`;
}

async function withTimeout(sending: Promise<Answer>): Promise<Answer | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), answerMs);
  try {
    return await Promise.race([sending.catch(() => undefined), promise]);
  } finally {
    clearTimeout(timer);
  }
}
