import type { Dice } from "../dice.ts";
import { asBytes, type Draft } from "../draft.ts";
import { escapeSome } from "./callers.ts";
import { hostileTexts, inserted, placeIn, type Mutation } from "./mutation.ts";

const path = (name: string, change: (path: string, dice: Dice) => string): Mutation => ({
  name,
  apply: (draft, dice) => {
    draft.path = change(draft.path, dice);
  },
});

const hex = (code: number) => `%${code.toString(16).padStart(2, "0")}`;

export const pathMutations: readonly Mutation[] = [
  path("a letter escaped", (text, dice) => {
    const at = dice.int(1, text.length - 1);
    return inserted(text, at, hex(text.charCodeAt(at)), 1);
  }),
  path("escaped twice", (text) => text.replaceAll("/", "%252f")),
  path("another case", (text, dice) => {
    const at = placeIn(dice, text);
    return text.slice(0, at) + text.slice(at).toUpperCase();
  }),
  path("dots and slashes", (text, dice) => {
    const what = dice.pick([
      "/..",
      "/.",
      "//",
      "/%2e%2e",
      "/..;",
      "\\..\\",
      "/%5c",
      "/../../etc/passwd",
    ]);
    return inserted(text, dice.pick([0, text.lastIndexOf("/"), text.length]), what);
  }),
  path("a slash at its end", (text) => `${text}/`),
  path("cut short", (text, dice) => text.slice(0, Math.max(1, placeIn(dice, text)))),
  path(
    "longer than it may be",
    (text, dice) => text + "/x".repeat(dice.pick([1_000, 2_100, 9_000])),
  ),
  path("letters that are not ASCII", (text, dice) =>
    inserted(text, dice.int(1, text.length), asBytes(dice.pick(["é", "😀", "ａｐｉ", "\u202e"]))),
  ),
  path("a bad escape", (text, dice) =>
    inserted(
      text,
      dice.int(1, text.length),
      dice.pick(["%", "%z", "%zz", "%c3", "%ff", "%ed%a0%80", "%00"]),
    ),
  ),
  path(
    "something after it",
    (text, dice) => text + dice.pick([";a=b", "#x", "*", "%3F", "%23", ".json", "~"]),
  ),
  path("somewhere else", (_, dice) =>
    dice.pick([
      "/",
      "/docs",
      "/metrics",
      "/healthz",
      "/readyz",
      "/api",
      "/api/v2/me",
      "/operator",
      "/.git/config",
      "/favicon.ico",
      "/robots.txt",
      "/assets/x.js",
    ]),
  ),
];

/** Targets that are no path; some of them no HTTP parser takes. */
export const targetMutations: readonly Mutation[] = [
  {
    name: "no path in the request line",
    apply: (draft, dice) => {
      draft.isOdd = true;
      draft.path = dice.pick([
        "*",
        "https://localhost/api/health",
        "//localhost/x",
        "localhost:443",
        "?",
        "",
        "api",
        "\\",
      ]);
    },
  },
];

const query = (name: string, change: (query: string, dice: Dice) => string): Mutation => ({
  name,
  apply: (draft, dice) => {
    draft.query = change(draft.query, dice);
  },
});
const add = (text: string, part: string) => `${text}${text === "" ? "?" : "&"}${part}`;
const names = [
  "after",
  "query",
  "state",
  "kind",
  "configId",
  "actor",
  "since",
  "quantity",
] as const;

export const queryMutations: readonly Mutation[] = [
  query("an unknown parameter", (text, dice) => add(text, `${dice.word(4)}=1`)),
  query("a parameter once more", (text) => add(text, text.slice(1).split("&")[0] ?? "a=b")),
  query("a hostile value", (text, dice) =>
    add(text, `${dice.pick(names)}=${escapeSome(dice.pick(hostileTexts), dice)}`),
  ),
  query("a value in place of another", (text, dice) =>
    text.replace(/=[^&]*/, () => `=${escapeSome(dice.pick(hostileTexts), dice)}`),
  ),
  query("a parameter less", (text) => text.replace(/[?&][^&]*$/, "")),
  query("odd syntax", (text, dice) =>
    add(
      text,
      dice.pick(["&&", "=", "a[]=1", "a[b]=1", "?", "%00=1", "__proto__=1", "a=%ff", "+", "a;b"]),
    ),
  ),
  query("very long", (text, dice) =>
    add(text, `query=${"y".repeat(dice.pick([200, 4_000, 20_000]))}`),
  ),
];

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE"] as const;

function method(name: string, isOdd: boolean, choices: readonly [string, ...string[]]): Mutation {
  return {
    name,
    apply: (draft: Draft, dice) => {
      draft.method = dice.pick(choices);
      draft.isOdd ||= isOdd;
    },
  };
}

export const methodMutations: readonly Mutation[] = [
  method("another method", false, methods),
  method("a method of its own", true, ["get", "BREW", "CONNECT", "PRI", "PROPFIND", "", "G ET"]),
];
