import type { RateLimitName } from "@ironlease/contract";
import type { Attempt } from "#kernel/rate-limits.ts";

/** Whose second factor it is: a customer's account or an operator. Both work alike. */
export interface FactorOwner {
  readonly kind: "account" | "operator";
  readonly id: string;
  readonly username: string;
}

const limitOf = {
  account: "secondFactorPerAccount",
  operator: "secondFactorPerOperator",
} as const satisfies Record<FactorOwner["kind"], RateLimitName>;

/** A guess at sign-in, from any address. */
export function guessAtSignIn({ kind, id }: FactorOwner): Attempt {
  return { limit: limitOf[kind], subject: id };
}

/** Counted separately from codes at sign-in, so that a stranger who guesses those cannot block the setup. */
export function guessAtSetup({ kind, id }: FactorOwner): Attempt {
  return { limit: limitOf[kind], subject: `confirm ${id}` };
}
