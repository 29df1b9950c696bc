import { operations, type OperationId } from "@ironlease/contract";
import { SeededRandom } from "./seeded-random.ts";
import type { Draft } from "./draft.ts";
import { mutate } from "./mutate.ts";
import { remember } from "./mutations/repeats.ts";
import { validRequest } from "./valid-request.ts";
import type { World } from "./world.ts";

const ids = Object.keys(operations) as readonly OperationId[];

/** Operations that hash a password take about forty times as long as others. */
const hashing: readonly OperationId[] = [
  ...(["register", "signIn", "recover", "changePassword", "closeAccount"] as const),
  ...(["signInOperator", "changeOperatorPassword"] as const),
];
const weightOf = (id: OperationId) => {
  // Releasing, completing and failing work each need a claim.
  if (id === "claimWork") return 12;
  return hashing.includes(id) ? 1 : 4;
};
const weights = ids.map((id) => [id, weightOf(id)] as const);

/** Share of requests that stay valid, so that the service's state keeps changing. */
const validShare = 0.3;
/** The run begins with this many valid requests to each operation. */
const validRounds = 2;

export interface Hosts {
  readonly account: string;
  readonly operator: string;
}

/** Plans the request with the given number. The same seed and number give the same choices. */
export async function planRequest(
  world: World,
  seed: number,
  number: number,
  hosts: Hosts,
): Promise<Draft> {
  const random = new SeededRandom(seed, number);
  const isRound = number < ids.length * validRounds;
  const chosen = isRound ? ids[number % ids.length] : random.weighted(weights);
  const operationId =
    world.accountsToUnfreeze.length > 0 ? "unfreezeAccount" : (chosen ?? "readHealth");
  const draft = await validRequest(world, random, number, operationId, hosts);
  remember(world, draft);
  if (!isRound && !random.chance(validShare)) mutate(draft, random, world);
  return draft;
}
