import type { OperationId } from "@ironlease/contract";
import { headerIn, setHeader, type Draft } from "../draft.ts";
import type { World } from "../world.ts";
import type { Mutation } from "./mutation.ts";

const maxRemembered = 10;
/** Requests with a key that were right, the latest of each operation; each world has its own. */
const remembered = new WeakMap<World, Map<OperationId, Draft[]>>();

function rememberedIn(world: World, { operationId }: Draft): Draft[] {
  const byOperation = remembered.get(world) ?? new Map<OperationId, Draft[]>();
  remembered.set(world, byOperation);
  const list = byOperation.get(operationId) ?? [];
  byOperation.set(operationId, list);
  return list;
}

/** To be called before anything is done to it. */
export function remember(world: World, draft: Draft): void {
  if (headerIn(draft, "idempotency-key") === undefined) return;
  const list = rememberedIn(world, draft);
  list.push({ ...draft, headers: [...draft.headers] });
  if (list.length > maxRemembered) list.shift();
}

/** Keys that were sent before: with the same request again, and with another one. */
export const repeatMutations: readonly Mutation[] = [
  {
    name: "an earlier request once more",
    apply: (draft, dice, world) => {
      const { actor, path, headers, json, body } = dice.pick(rememberedIn(world, draft)) ?? draft;
      Object.assign(draft, { actor, path, headers: [...headers], json, body });
      if (actor === undefined) return;
      // The session of then may have ended; the key is the customer's, and not the session's.
      setHeader(draft, "cookie", actor.credentials.cookie);
      setHeader(draft, "x-csrf-token", actor.credentials.csrfToken);
    },
  },
  {
    name: "the key of an earlier request",
    apply: (draft, dice, world) => {
      const earlier = dice.pick(rememberedIn(world, draft));
      const key = earlier === undefined ? undefined : headerIn(earlier, "idempotency-key");
      if (key !== undefined) setHeader(draft, "idempotency-key", key);
    },
  },
];
