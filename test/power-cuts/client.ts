import { setTimeout as delay } from "node:timers/promises";
import { codeOf, type Answer, type Send } from "#test/https-client.ts";
import { keyOf, there, type Acknowledgement, type Call, type Note } from "./acknowledgement.ts";

/** The two listeners of a service that runs now. */
export interface Service {
  readonly send: Send;
  readonly sendToDesk: Send;
}

/** What follows for the database, and for who may sign in, from a change's answer. */
export type Consequences = Pick<Acknowledgement, "facts" | "signIn">;

const maxResends = 1_200;
const resendPauseMs = 50;

export interface ClientOptions {
  readonly note: (note: Note) => void;
  /** Whether the process itself may be killed, so that connections break and nobody listens. */
  readonly mayVanish?: boolean;
}

/** Sends what customers and operators ask, and writes down what was sent and what was acknowledged. */
export class Client {
  service: Service;
  readonly #options: ClientOptions;
  #sent = 0;
  /** How often nobody could say what became of a request. */
  unanswered = 0;

  constructor(service: Service, options: ClientOptions) {
    this.service = service;
    this.#options = options;
  }

  /**
   * Makes a change. With a key it is sent until it is answered; without one, when nobody says what
   * became of it, it is left open, and undefined is given.
   */
  async change(
    call: Call,
    consequences: (json: Answer["json"]) => Consequences,
  ): Promise<Answer | undefined> {
    const { note } = this.#options;
    const [number, key] = [(this.#sent += 1), keyOf(call)];
    note({ sent: number, call });
    for (let sending = 1; sending <= maxResends; sending += 1) {
      const answer = await this.#outcome(call, sending > 1);
      if (answer !== undefined && answer.status < 300) {
        const { status, json: body } = answer;
        const known = key === undefined ? [] : [there("idempotency_keys", { key, status })];
        const { facts, ...others } = consequences(body);
        const acknowledgement = { call, status, body, facts: [...known, ...facts], ...others };
        note({ acknowledged: number, acknowledgement });
        return answer;
      }
      if (answer !== undefined || key === undefined) return undefined;
      await delay(resendPauseMs);
    }
    throw new Error(`${call.method} ${call.path} was never answered`);
  }

  /** Asks for something that changes nothing, or nothing that has to last, until it is answered. */
  async ask(call: Call): Promise<Answer> {
    for (let sending = 1; sending <= maxResends; sending += 1) {
      const answer = await this.#outcome(call, false);
      if (answer !== undefined) return answer;
      await delay(resendPauseMs);
    }
    throw new Error(`${call.method} ${call.path} was never answered`);
  }

  /** Undefined when nobody can say; whatever else is no success is a failure of the service. */
  async #outcome(call: Call, wasSent: boolean): Promise<Answer | undefined> {
    const answer = await this.#submit(call);
    if (answer === undefined || codeOf(answer) === "service_unavailable") {
      this.unanswered += 1;
      return undefined;
    }
    // Sent before, and its answer was lost: it has been recorded, whatever its id is.
    const isRecorded = wasSent && codeOf(answer) === "idempotency_conflict";
    if (answer.status < 300 || isRecorded) return answer;
    throw new Error(`${call.method} ${call.path} was answered ${answer.status} ${answer.text}`);
  }

  async #submit(call: Call): Promise<Answer | undefined> {
    try {
      return await submit(this.service, call);
    } catch (error) {
      if (this.#options.mayVanish === true) return undefined;
      throw error;
    }
  }
}

export function submit(service: Service, { side, method, path, body, headers }: Call) {
  const send = side === "desk" ? service.sendToDesk : service.send;
  return send(method, path, { body, ...(headers === undefined ? {} : { headers }) });
}
