import { setTimeout as delay } from "node:timers/promises";
import { codeOf, type Answer, type Send } from "#test/https-client.ts";
import { keyOf, present, type Acknowledgement, type Call, type Note } from "./acknowledgement.ts";

/** The account and operator listeners of a running service. */
export interface Service {
  readonly send: Send;
  readonly sendToDesk: Send;
}

/** What must hold after a change is acknowledged. */
export type Consequences = Pick<Acknowledgement, "facts" | "signIn">;

const maxAttempts = 1_200;
const retryPauseMs = 50;

export interface ClientOptions {
  readonly note: (note: Note) => void;
  /** Whether the service itself may be killed, so that connections may fail. */
  readonly mayDisconnect?: boolean;
}

/** Sends requests and notes which changes were sent and acknowledged. */
export class Client {
  service: Service;
  readonly #options: ClientOptions;
  #sent = 0;
  /** Number of attempts with unknown outcome. */
  unanswered = 0;

  constructor(service: Service, options: ClientOptions) {
    this.service = service;
    this.#options = options;
  }

  /**
   * Makes a change. With an idempotency key, retries until there is an answer. Without one, returns undefined
   * when the outcome is unknown.
   */
  async change(
    call: Call,
    consequences: (json: Answer["json"]) => Consequences,
  ): Promise<Answer | undefined> {
    const { note } = this.#options;
    const [number, key] = [(this.#sent += 1), keyOf(call)];
    note({ sent: number, call });
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const answer = await this.#outcome(call, attempt > 1);
      if (answer !== undefined && answer.status < 300) {
        const { status, json: body } = answer;
        const known = key === undefined ? [] : [present("idempotency_keys", { key, status })];
        const { facts, ...others } = consequences(body);
        const acknowledgement = { call, status, body, facts: [...known, ...facts], ...others };
        note({ acknowledged: number, acknowledgement });
        return answer;
      }
      if (answer !== undefined || key === undefined) return undefined;
      await delay(retryPauseMs);
    }
    throw new Error(`${call.method} ${call.path} was never answered`);
  }

  /** Sends a read, or a change that need not be durable, and retries until there is an answer. */
  async sendUntilAnswered(call: Call): Promise<Answer> {
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const answer = await this.#outcome(call, false);
      if (answer !== undefined) return answer;
      await delay(retryPauseMs);
    }
    throw new Error(`${call.method} ${call.path} was never answered`);
  }

  /** Returns undefined when the outcome is unknown. Throws on any other failure. */
  async #outcome(call: Call, wasSent: boolean): Promise<Answer | undefined> {
    const answer = await this.#submit(call);
    if (answer === undefined || codeOf(answer) === "service_unavailable") {
      this.unanswered += 1;
      return undefined;
    }
    // An earlier attempt took effect and its answer was lost.
    const isRecorded = wasSent && codeOf(answer) === "idempotency_conflict";
    if (answer.status < 300 || isRecorded) return answer;
    throw new Error(`${call.method} ${call.path} was answered ${answer.status} ${answer.text}`);
  }

  async #submit(call: Call): Promise<Answer | undefined> {
    try {
      return await submit(this.service, call);
    } catch (error) {
      if (this.#options.mayDisconnect === true) return undefined;
      throw error;
    }
  }
}

export function submit(service: Service, { side, method, path, body, headers }: Call) {
  const send = side === "desk" ? service.sendToDesk : service.send;
  return send(method, path, { body, ...(headers === undefined ? {} : { headers }) });
}
