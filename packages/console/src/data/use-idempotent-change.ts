import { OutcomeUnknown, type WriteOptions } from "@ironlease/client";
import type { QueryKey } from "@tanstack/react-query";
import { useState } from "react";
import { canonical, Intents, type Intent } from "./intents.ts";
import { useUsername } from "./session.ts";
import { tabStorage } from "./tab-storage.ts";
import { useChange, type Retries } from "./use-change.ts";

const intents = new Intents(tabStorage);
/** Single-flight: a second click on the same request joins the first. */
const inFlight = new Map<string, Promise<unknown>>();

export interface IdempotentChange<Request> {
  /** Sent from this tab, perhaps before a reload, and never answered. */
  readonly unanswered: { readonly request: Request; readonly at: number } | undefined;
  /** Discards the unanswered request. Whether it ran stays unknown. */
  readonly discard: () => void;
}

/** A write that must run once: one idempotency key per intent, stored under `slot`. */
export function useIdempotentChange<Request extends object, Answer>(
  slot: string,
  send: (request: Request, options: WriteOptions) => Promise<Answer>,
  refreshes: readonly QueryKey[] = [],
  retries: Retries = {},
) {
  const username = useUsername();
  // Storage is not React state: a counter triggers the re-render.
  const [, rerender] = useState(0);
  const change = useChange<Request, Answer>(
    async (request) => {
      try {
        return await sendOnce(slot, username, request, send);
      } finally {
        rerender((count) => count + 1);
      }
    },
    refreshes,
    retries,
  );
  const intent = change.isPending ? undefined : intents.find(slot, username);
  const extra: IdempotentChange<Request> = {
    unanswered:
      intent?.state === "sent" ? { request: intent.request as Request, at: intent.at } : undefined,
    discard: () => {
      intents.settled(slot, username);
      change.reset();
      rerender((count) => count + 1);
    },
  };
  return { ...change, ...extra };
}

/** When the request in this slot was sent, if its answer was lost. */
export function unansweredSince(slot: string, username: string): number | undefined {
  const intent = intents.find(slot, username);
  return intent?.state === "sent" ? intent.at : undefined;
}

/** Sends the request with the key of its slot's intent. `useIdempotentChange` does so for one write. */
export function sendOnce<Request extends object, Answer>(
  slot: string,
  username: string,
  request: Request,
  send: (request: Request, options: WriteOptions) => Promise<Answer>,
): Promise<Answer> {
  const name = `${username} ${slot} ${canonical(request)}`;
  const first = inFlight.get(name);
  if (first !== undefined) return first as Promise<Answer>;
  const sending = (async () => {
    const intent = intents.begin(slot, username, request);
    try {
      const answer = await send(request, { idempotencyKey: intent.key, resend: intent.isLost });
      intents.settled(slot, username);
      return answer;
    } catch (error) {
      recordFailure(slot, intent, error);
      throw error;
    }
  })();
  inFlight.set(name, sending);
  const remove = () => inFlight.delete(name);
  sending.then(remove, remove);
  return sending;
}

function recordFailure(slot: string, intent: Intent, error: unknown): void {
  if (error instanceof OutcomeUnknown) intents.lost(slot, intent);
  else intents.refused(slot, intent);
}
