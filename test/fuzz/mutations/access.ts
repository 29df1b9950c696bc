import { headerIn, removeHeader, setHeader } from "../draft.ts";
import { onLine, type Mutation } from "./mutation.ts";

/** Cookies and the token that goes with them. */
export const cookieMutations: readonly Mutation[] = [
  cookies("one of them less", (pairs, at) => pairs.filter((_, index) => index !== at)),
  cookies("one of them twice", (pairs, at) => [...pairs, pairs[at] ?? ""]),
  cookies("in another order", (pairs) => pairs.toReversed()),
  cookies("one of them cut short", (pairs, at) =>
    pairs.map((pair, index) => (index === at ? pair.slice(0, -3) : pair)),
  ),
  cookies("one of them empty", (pairs, at) =>
    pairs.map((pair, index) => (index === at ? pair.replace(/=.*/, "=") : pair)),
  ),
  cookies("in quotes", (pairs) => pairs.map((pair) => pair.replace(/=(.*)/, '="$1"'))),
  cookies("without their prefix", (pairs) => pairs.map((pair) => pair.replace("__Host-", ""))),
  cookies("among many others", (pairs) => [
    ...Array.from({ length: 200 }, (_, at) => `c${at}=x`),
    ...pairs,
  ]),
  {
    name: "a cookie of another sign-in",
    apply: (draft, dice, { rich, desk }) => {
      const own = headerIn(draft, "cookie")?.split("; ") ?? [];
      const other = dice.pick(draft.listener === "operator" ? desk : rich);
      const others = other?.credentials.cookie.split("; ") ?? [];
      const mixed = dice.chance(0.5) ? [own[0], others[1]] : [others[0], own[1]];
      setHeader(draft, "cookie", mixed.filter((pair) => pair !== undefined).join("; "));
    },
  },
  {
    name: "another token",
    apply: (draft, dice, { rich }) => {
      const other = dice.pick(rich)?.credentials.csrfToken ?? "";
      const own = headerIn(draft, "x-csrf-token") ?? "";
      setHeader(
        draft,
        "x-csrf-token",
        dice.pick(["", "x", other, own.toUpperCase(), `${own}, ${own}`]),
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
    apply: (draft, dice) => {
      const cookie = headerIn(draft, "cookie");
      if (cookie === undefined) return;
      const pairs = cookie.split("; ");
      setHeader(draft, "cookie", change(pairs, dice.int(0, pairs.length - 1)).join("; "));
    },
  };
}

export const keyMutations: readonly Mutation[] = [
  {
    name: "no key",
    apply: (draft) => removeHeader(draft, "idempotency-key"),
  },
  {
    name: "a bad key",
    apply: (draft, dice) => {
      if (headerIn(draft, "idempotency-key") === undefined) return;
      setHeader(
        draft,
        "idempotency-key",
        dice.pick(
          [
            "",
            "short",
            "x".repeat(101),
            "with space x",
            "ünïcödé-key",
            "a,b-c-d-e-f",
            "😀😀😀😀😀😀😀😀",
          ].map(onLine) as [string],
        ),
      );
    },
  },
];
