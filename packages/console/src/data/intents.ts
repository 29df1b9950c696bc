import { newIdempotencyKey } from "@ironlease/client";

/**
 * A write that must run once, such as an order or a withdrawal. Its idempotency key is in the tab's
 * storage from before the first request until the service answers, so that neither a double click nor
 * a retry nor a reload runs it twice.
 */
export interface Intent {
  readonly key: string;
  /** The owner. Another account in the same tab never sees it. */
  readonly username: string;
  readonly request: unknown;
  /** `sent` until an answer arrives, whether the request is in flight or its answer was lost. */
  readonly state: "sent" | "refused";
  /** The answer to an earlier attempt was lost, so the service may know this key already. */
  readonly isLost: boolean;
  readonly at: number;
}

export type IntentStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** An earlier intent in the same slot has no answer yet. */
export class UnansweredIntent extends Error {
  override readonly name = "UnansweredIntent";
}

export class Intents {
  readonly #storage: IntentStorage;
  readonly #now: () => number;

  constructor(storage: IntentStorage, now: () => number = Date.now) {
    this.#storage = storage;
    this.#now = now;
  }

  /** The intent in this slot of this account, if any. */
  find(slot: string, username: string): Intent | undefined {
    const text = this.#storage.getItem(nameOf(slot, username));
    return text === null ? undefined : readIntent(text);
  }

  /**
   * Stores the intent before it is sent. The same request in the same slot keeps its key; a different
   * request must wait until the earlier one is answered.
   */
  begin(slot: string, username: string, request: unknown): Intent {
    const last = this.find(slot, username);
    const isSame = last !== undefined && sameRequest(last.request, request);
    if (last?.state === "sent" && !isSame) throw new UnansweredIntent(slot);
    const intent: Intent = {
      key: isSame ? last.key : newIdempotencyKey(),
      isLost: isSame && (last.isLost || last.state === "sent"),
      username,
      request,
      state: "sent",
      at: isSame ? last.at : this.#now(),
    };
    this.#write(slot, intent);
    return intent;
  }

  /** The service refused and recorded nothing, so a retry may use the same key. */
  refused(slot: string, intent: Intent): void {
    this.#write(slot, { ...intent, state: "refused" });
  }

  /** The answer was lost. The intent stays until it is retried or discarded. */
  lost(slot: string, intent: Intent): void {
    this.#write(slot, { ...intent, isLost: true });
  }

  /** Answered, or discarded by the user. */
  settled(slot: string, username: string): void {
    this.#storage.removeItem(nameOf(slot, username));
  }

  #write(slot: string, intent: Intent): void {
    this.#storage.setItem(nameOf(slot, intent.username), JSON.stringify(intent));
  }
}

/** Whether a storage entry is an intent without an answer. */
export function isUnanswered(name: string, text: string | null): boolean {
  return name.startsWith(prefix) && text !== null && readIntent(text)?.state === "sent";
}

const prefix = "ironlease.intent/";

function nameOf(slot: string, username: string): string {
  return `${prefix}${username}/${slot}`;
}

function readIntent(text: string): Intent | undefined {
  try {
    const intent = JSON.parse(text) as Intent;
    return typeof intent.key === "string" && typeof intent.username === "string"
      ? intent
      : undefined;
  } catch {
    return undefined;
  }
}

function sameRequest(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b);
}

/** Requests are flat objects; fields are compared in any order. */
export function canonical(request: unknown): string {
  const fields = Object.entries(request as Record<string, unknown>)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(fields);
}
