import { OutcomeUnknown, type WriteOptions } from "@ironlease/client";
import type { QueryKey } from "@tanstack/react-query";
import { useState } from "react";
import { canonical, Intents, type Intent } from "./intents.ts";
import { useUsername } from "./session.ts";
import { tabStorage } from "./tab-storage.ts";
import { useChange } from "./use-change.ts";

const intents = new Intents(tabStorage);
/** What is under way on this page, by place and request: a second click joins the first. */
const underWay = new Map<string, Promise<unknown>>();

export interface Once<Request> {
  /** Sent from this tab, by this page or before a reload, and never answered. */
  readonly unsettled: { readonly request: Request; readonly at: number } | undefined;
  /** Gives the unsettled one up; whether it was done stays unknown. */
  readonly giveUp: () => void;
}

/** A write that must happen once: one idempotency key per intent, in a place named `slot`. */
export function useOnce<Request extends object, Answer>(
  slot: string,
  send: (request: Request, options: WriteOptions) => Promise<Answer>,
  refreshes: readonly QueryKey[] = [],
) {
  const username = useUsername();
  // Storage is no state of React's: counting its changes makes it look again.
  const [, look] = useState(0);
  const change = useChange<Request, Answer>(async (request) => {
    try {
      return await sendOnce(slot, username, request, send);
    } finally {
      look((count) => count + 1);
    }
  }, refreshes);
  const intent = change.isPending ? undefined : intents.find(slot, username);
  const once: Once<Request> = {
    unsettled:
      intent?.state === "sent" ? { request: intent.request as Request, at: intent.at } : undefined,
    giveUp: () => {
      intents.settled(slot, username);
      change.reset();
      look((count) => count + 1);
    },
  };
  return { ...change, ...once };
}

function sendOnce<Request extends object, Answer>(
  slot: string,
  username: string,
  request: Request,
  send: (request: Request, options: WriteOptions) => Promise<Answer>,
): Promise<Answer> {
  const name = `${username} ${slot} ${canonical(request)}`;
  const first = underWay.get(name);
  if (first !== undefined) return first as Promise<Answer>;
  const sending = (async () => {
    const intent = intents.begin(slot, username, request);
    try {
      const answer = await send(request, { idempotencyKey: intent.key, resend: intent.isLost });
      intents.settled(slot, username);
      return answer;
    } catch (error) {
      noteFailure(slot, intent, error);
      throw error;
    }
  })();
  underWay.set(name, sending);
  const forget = () => underWay.delete(name);
  sending.then(forget, forget);
  return sending;
}

function noteFailure(slot: string, intent: Intent, error: unknown): void {
  if (error instanceof OutcomeUnknown) intents.lost(slot, intent);
  else intents.refused(slot, intent);
}
