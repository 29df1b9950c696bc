import type { OperationId } from "@ironlease/contract";
import { headerIn, setHeader, type Draft } from "../draft.ts";
import type { World } from "../world.ts";
import type { Mutation } from "./mutation.ts";

const maxRemembered = 10;
/** The latest valid requests with an idempotency key, by world and operation. */
const remembered = new WeakMap<World, Map<OperationId, Draft[]>>();

function rememberedIn(world: World, { operationId }: Draft): Draft[] {
  const byOperation = remembered.get(world) ?? new Map<OperationId, Draft[]>();
  remembered.set(world, byOperation);
  const list = byOperation.get(operationId) ?? [];
  byOperation.set(operationId, list);
  return list;
}

/** Must be called before the request is mutated. */
export function remember(world: World, draft: Draft): void {
  if (headerIn(draft, "idempotency-key") === undefined) return;
  const list = rememberedIn(world, draft);
  list.push({ ...draft, headers: [...draft.headers] });
  if (list.length > maxRemembered) list.shift();
}

/** Reuse an earlier idempotency key, with the same request or another one. */
export const repeatMutations: readonly Mutation[] = [
  {
    name: "a repeated earlier request",
    apply: (draft, random, world) => {
      const { actor, path, headers, json, body } = random.pick(rememberedIn(world, draft)) ?? draft;
      Object.assign(draft, { actor, path, headers: [...headers], json, body });
      if (actor === undefined) return;
      // That session may have ended. Keys belong to the account, so the current session works too.
      setHeader(draft, "cookie", actor.credentials.cookie);
      setHeader(draft, "x-csrf-token", actor.credentials.csrfToken);
    },
  },
  {
    name: "the key of an earlier request",
    apply: (draft, random, world) => {
      const earlier = random.pick(rememberedIn(world, draft));
      const key = earlier === undefined ? undefined : headerIn(earlier, "idempotency-key");
      if (key !== undefined) setHeader(draft, "idempotency-key", key);
    },
  },
];
