import { headerIn, removeHeader, setHeader } from "../draft.ts";
import { headerText, type Mutation } from "./mutation.ts";

/** Change cookies and the CSRF token. */
export const cookieMutations: readonly Mutation[] = [
  cookies("with one missing", (pairs, at) => pairs.filter((_, index) => index !== at)),
  cookies("with one repeated", (pairs, at) => [...pairs, pairs[at] ?? ""]),
  cookies("in another order", (pairs) => pairs.toReversed()),
  cookies("with one truncated", (pairs, at) =>
    pairs.map((pair, index) => (index === at ? pair.slice(0, -3) : pair)),
  ),
  cookies("with one empty", (pairs, at) =>
    pairs.map((pair, index) => (index === at ? pair.replace(/=.*/, "=") : pair)),
  ),
  cookies("in quotes", (pairs) => pairs.map((pair) => pair.replace(/=(.*)/, '="$1"'))),
  cookies("without their prefix", (pairs) => pairs.map((pair) => pair.replace("__Host-", ""))),
  cookies("among many others", (pairs) => [
    ...Array.from({ length: 200 }, (_, at) => `c${at}=x`),
    ...pairs,
  ]),
  {
    name: "a cookie of another session",
    apply: (draft, random, { funded, operators }) => {
      const own = headerIn(draft, "cookie")?.split("; ") ?? [];
      const other = random.pick(draft.listener === "operator" ? operators : funded);
      const others = other?.credentials.cookie.split("; ") ?? [];
      const mixed = random.chance(0.5) ? [own[0], others[1]] : [others[0], own[1]];
      setHeader(draft, "cookie", mixed.filter((pair) => pair !== undefined).join("; "));
    },
  },
  {
    name: "another CSRF token",
    apply: (draft, random, { funded }) => {
      const other = random.pick(funded)?.credentials.csrfToken ?? "";
      const own = headerIn(draft, "x-csrf-token") ?? "";
      setHeader(
        draft,
        "x-csrf-token",
        random.pick(["", "x", other, own.toUpperCase(), `${own}, ${own}`]),
      );
    },
  },
];

function cookies(
  name: string,
  change: (pairs: readonly string[], at: number) => readonly string[],
): Mutation {
  return {
    name: `cookies ${name}`,
    apply: (draft, random) => {
      const cookie = headerIn(draft, "cookie");
      if (cookie === undefined) return;
      const pairs = cookie.split("; ");
      setHeader(draft, "cookie", change(pairs, random.int(0, pairs.length - 1)).join("; "));
    },
  };
}

export const keyMutations: readonly Mutation[] = [
  {
    name: "no idempotency key",
    apply: (draft) => removeHeader(draft, "idempotency-key"),
  },
  {
    name: "an invalid idempotency key",
    apply: (draft, random) => {
      if (headerIn(draft, "idempotency-key") === undefined) return;
      setHeader(
        draft,
        "idempotency-key",
        random.pick(
          [
            "",
            "short",
            "x".repeat(101),
            "with space x",
            "ünïcödé-key",
            "a,b-c-d-e-f",
            "😀😀😀😀😀😀😀😀",
          ].map(headerText) as [string],
        ),
      );
    },
  },
];
