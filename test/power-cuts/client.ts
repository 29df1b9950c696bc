import { setTimeout as delay } from "node:timers/promises";
import { codeOf, type Answer, type Send } from "../support/https-client.ts";
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

/** Sends what customers and operators ask, and writes down what was sent and what was acknowledged. */
export class Client {
  readonly #note: (note: Note) => void;
  readonly #stopped: AbortSignal | undefined;
  service: Service;
  #sent = 0;
  /** How often the service said that it could not answer now. */
  unavailable = 0;

  constructor(service: Service, note: (note: Note) => void, stopped?: AbortSignal) {
    this.service = service;
    this.#note = note;
    this.#stopped = stopped;
  }

  /**
   * Makes a change. With a key it is sent until it is answered; without one, an answer that says
   * nothing about the outcome leaves it open, and undefined is given.
   */
  async change(
    call: Call,
    consequences: (json: Answer["json"]) => Consequences,
  ): Promise<Answer | undefined> {
    const [number, key] = [(this.#sent += 1), keyOf(call)];
    this.#note({ sent: number, call });
    for (let sending = 1; sending <= maxResends; sending += 1) {
      const answer = await submit(this.service, call);
      const { status, json: body } = answer;
      if (status < 300) {
        const known = key === undefined ? [] : [there("idempotency_keys", { key, status })];
        const { facts, ...others } = consequences(body);
        const acknowledgement = { call, status, body, facts: [...known, ...facts], ...others };
        this.#note({ acknowledged: number, acknowledgement });
        return answer;
      }
      // Sent before with an answer that was lost: it has been recorded, whatever its id is.
      if (sending > 1 && codeOf(answer) === "idempotency_conflict") return undefined;
      this.#expectUnavailable(call, answer);
      if (key === undefined) return undefined;
      await delay(resendPauseMs);
    }
    throw new Error(`${call.method} ${call.path} was never answered`);
  }

  /** Asks for something that changes nothing, or nothing that has to last, until it is answered. */
  async ask(call: Call): Promise<Answer> {
    for (let sending = 1; sending <= maxResends; sending += 1) {
      const answer = await submit(this.service, call);
      if (answer.status < 300) return answer;
      this.#expectUnavailable(call, answer);
      await delay(resendPauseMs);
    }
    throw new Error(`${call.method} ${call.path} was never answered`);
  }

  #expectUnavailable(call: Call, answer: Answer): void {
    this.#stopped?.throwIfAborted();
    if (answer.status !== 503 || codeOf(answer) !== "service_unavailable") {
      throw new Error(`${call.method} ${call.path} was answered ${answer.status} ${answer.text}`);
    }
    this.unavailable += 1;
  }
}

export function submit(service: Service, { side, method, path, body, headers }: Call) {
  const send = side === "desk" ? service.sendToDesk : service.send;
  return send(method, path, { body, ...(headers === undefined ? {} : { headers }) });
}
