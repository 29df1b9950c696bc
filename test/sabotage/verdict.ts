import type { TestRun } from "./run-tests.ts";

export type Verdict =
  | {
      readonly kind: "caught";
      /** The first test whose assertion failed. */
      readonly by: string;
      readonly more: number;
    }
  /** Every test passed. */
  | { readonly kind: "survived" }
  /** The tests failed without a failed assertion, for example because the code does not load. */
  | { readonly kind: "broken"; readonly why: string };

export function verdictOf({ outcomes, hasPassed }: TestRun): Verdict {
  const passed = outcomes.filter(({ end }) => end === "passed");
  const [first, ...more] = outcomes.filter(({ end }) => end === "assertion failed");
  if (passed.length === 0) return { kind: "broken", why: whyOf(outcomes, "no test passed") };
  if (first !== undefined) return { kind: "caught", by: first.title, more: more.length };
  return hasPassed
    ? { kind: "survived" }
    : { kind: "broken", why: whyOf(outcomes, "the tests failed without a reason") };
}

function whyOf(outcomes: TestRun["outcomes"], otherwise: string): string {
  const broke = outcomes.find(({ end }) => end === "broke");
  return broke === undefined ? otherwise : `${broke.title}: ${broke.message ?? ""}`;
}
