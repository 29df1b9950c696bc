import type { TestRun } from "./run-tests.ts";

export type Verdict =
  | {
      readonly kind: "caught";
      /** The first test whose assertion failed. */
      readonly by: string;
      readonly more: number;
    }
  /** Every test passed: nobody would have noticed. */
  | { readonly kind: "survived" }
  /** It failed, but not by saying what is wrong: a bug that does not even start shows nothing. */
  | { readonly kind: "broken"; readonly why: string };

export function verdictOf({ ends, isGreen }: TestRun): Verdict {
  const passed = ends.filter(({ end }) => end === "passed");
  const [first, ...more] = ends.filter(({ end }) => end === "assertion failed");
  if (passed.length === 0) return { kind: "broken", why: whyOf(ends, "no test passed") };
  if (first !== undefined) return { kind: "caught", by: first.title, more: more.length };
  return isGreen
    ? { kind: "survived" }
    : { kind: "broken", why: whyOf(ends, "the tests failed without saying why") };
}

function whyOf(ends: TestRun["ends"], otherwise: string): string {
  const broke = ends.find(({ end }) => end === "broke");
  return broke === undefined ? otherwise : `${broke.title}: ${broke.message ?? ""}`;
}
