import type { SeededRandom } from "./seeded-random.ts";
import { headerIn, type Draft } from "./draft.ts";
import { cookieMutations, keyMutations } from "./mutations/cookies-and-keys.ts";
import {
  methodMutations,
  pathMutations,
  queryMutations,
  targetMutations,
} from "./mutations/request-line.ts";
import { bodyMutations, wireMutations } from "./mutations/bytes.ts";
import { callerMutations, idMutations } from "./mutations/callers.ts";
import { deliveryMutations, framingMutations } from "./mutations/framing.ts";
import { headerMutations } from "./mutations/headers.ts";
import { jsonMutations } from "./mutations/json.ts";
import type { Mutation } from "./mutations/mutation.ts";
import { repeatMutations } from "./mutations/repeats.ts";
import type { World } from "./world.ts";

interface Family {
  readonly mutations: readonly Mutation[];
  readonly weight: number;
  /** Whether the mutations apply to the request. */
  readonly fits: (draft: Draft) => boolean;
}

const family = (
  mutations: readonly Mutation[],
  weight: number,
  fits: Family["fits"] = () => true,
): Family => ({ mutations, weight, fits });

const hasKey = (draft: Draft) => headerIn(draft, "idempotency-key") !== undefined;
const hasBody = ({ body }: Draft) => body !== undefined;

/** All mutations with their weights, in the order in which they apply: wire bytes come last. */
const families: readonly Family[] = [
  family(repeatMutations, 12, hasKey),
  family(callerMutations, 12),
  family(idMutations, 14, ({ path }) => path.includes("_")),
  family(jsonMutations, 34, hasBody),
  family(bodyMutations, 8),
  family(pathMutations, 6),
  family(queryMutations, 8),
  family(methodMutations, 3),
  family(headerMutations, 14),
  family(cookieMutations, 8, (draft) => headerIn(draft, "cookie") !== undefined),
  family(keyMutations, 8, hasKey),
  family(deliveryMutations, 5),
  family(targetMutations, 1),
  family(framingMutations, 5),
  family(wireMutations, 6),
];

/** More than any operation accepts, but below the 8 MiB at which the service cuts the connection. */
const largestBody = 5_000_000;

/** Applies one to three mutations. */
export function mutate(draft: Draft, random: SeededRandom, world: World): void {
  const count = random.pick([1, 1, 1, 1, 1, 1, 2, 2, 2, 3]);
  const fitting = families
    .filter(({ fits }) => fits(draft))
    .map((each) => [each, each.weight] as const);
  const chosen = Array.from({ length: count }, () => random.weighted(fitting));
  for (const { mutations } of families.filter((each) => chosen.includes(each))) {
    const mutation = random.pick(mutations);
    if (mutation === undefined) continue;
    mutation.apply(draft, random, world);
    draft.mutations.push(mutation.name);
  }
  draft.body = draft.body?.subarray(0, largestBody);
}
