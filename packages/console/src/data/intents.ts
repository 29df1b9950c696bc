import { newIdempotencyKey } from "@ironlease/client";

/**
 * One thing that somebody wants done once: an order, a withdrawal. Its key is kept in the tab's
 * storage from before the first sending until the service has answered, so that neither a second
 * click nor a retry nor a reload can do it twice.
 */
export interface Intent {
  readonly key: string;
  /** Whose intent it is: another account in the same tab has nothing to do with it. */
  readonly username: string;
  readonly request: unknown;
  /** `sent` when its answer has not come, be it that it is under way or that it was lost. */
  readonly state: "sent" | "refused";
  /** Some copy's answer was lost, so that the service may know this key already. */
  readonly isLost: boolean;
  readonly at: number;
}

export type IntentStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** Another intent in the same place has not been settled; it comes first. */
export class UnsettledIntent extends Error {
  override readonly name = "UnsettledIntent";
}

export class Intents {
  readonly #storage: IntentStorage;
  readonly #now: () => number;

  constructor(storage: IntentStorage, now: () => number = Date.now) {
    this.#storage = storage;
    this.#now = now;
  }

  /** The intent in this place of this account, if there is one. */
  find(slot: string, username: string): Intent | undefined {
    const text = this.#storage.getItem(nameOf(slot, username));
    return text === null ? undefined : readIntent(text);
  }

  /**
   * Written down before it is sent. The same request in the same place is the same intent and goes
   * with the key that it had; a different one may only begin when the last is settled.
   */
  begin(slot: string, username: string, request: unknown): Intent {
    const last = this.find(slot, username);
    const isSame = last !== undefined && sameRequest(last.request, request);
    if (last?.state === "sent" && !isSame) throw new UnsettledIntent(slot);
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

  /** The service refused, and has recorded nothing: the same key is good for another try. */
  refused(slot: string, intent: Intent): void {
    this.#write(slot, { ...intent, state: "refused" });
  }

  /** The answer was lost: it stays until it is sent again or given up. */
  lost(slot: string, intent: Intent): void {
    this.#write(slot, { ...intent, isLost: true });
  }

  /** Answered, or given up by whoever wanted it. */
  settled(slot: string, username: string): void {
    this.#storage.removeItem(nameOf(slot, username));
  }

  #write(slot: string, intent: Intent): void {
    this.#storage.setItem(nameOf(slot, intent.username), JSON.stringify(intent));
  }
}

/** Whether this is kept under the name of an intent, and is one whose answer has not come. */
export function isUnsettled(name: string, text: string | null): boolean {
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

/** Requests are flat: equal when they have the same fields with the same values. */
export function canonical(request: unknown): string {
  const fields = Object.entries(request as Record<string, unknown>)
    .filter(([, value]) => value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(fields);
}
