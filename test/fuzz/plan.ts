import { operations, type OperationId } from "@ironlease/contract";
import { Dice } from "./dice.ts";
import type { Draft } from "./draft.ts";
import { mutate } from "./mutate.ts";
import { remember } from "./mutations/repeats.ts";
import { validRequest } from "./valid-request.ts";
import type { World } from "./world.ts";

const ids = Object.keys(operations) as readonly OperationId[];

/** Those that hash a password take some forty times as long as the others. */
const hashing: readonly OperationId[] = [
  ...(["register", "signIn", "recover", "changePassword"] as const),
  ...(["signInOperator", "changeOperatorPassword"] as const),
];
/** Three operations end what this one begins. */
const weightOf = (id: OperationId) => {
  if (id === "claimWork") return 12;
  return hashing.includes(id) ? 1 : 4;
};
const weights = ids.map((id) => [id, weightOf(id)] as const);

/** The share of requests to which nothing is done, so that the state behind them stays alive. */
const validShare = 0.3;
/** As many rounds of every operation as it takes for each to have been right a few times. */
const validRounds = 2;

export interface Hosts {
  readonly account: string;
  readonly operator: string;
}

/** The request with that number. The same seed and number choose the same things to do. */
export async function planRequest(
  world: World,
  seed: number,
  number: number,
  hosts: Hosts,
): Promise<Draft> {
  const dice = new Dice(seed, number);
  const isRound = number < ids.length * validRounds;
  const chosen = isRound ? ids[number % ids.length] : dice.weighted(weights);
  const wanted = world.repairs.length > 0 ? "unfreezeAccount" : (chosen ?? "readHealth");
  const draft = await validRequest(world, dice, number, wanted, hosts);
  remember(world, draft);
  if (!isRound && !dice.chance(validShare)) mutate(draft, dice, world);
  return draft;
}
