import type { SeededRandom } from "../seeded-random.ts";
import { asBytes, type Draft } from "../draft.ts";
import { escapeSome } from "./callers.ts";
import { hostileTexts, inserted, positionIn, type Mutation } from "./mutation.ts";

const path = (name: string, change: (path: string, random: SeededRandom) => string): Mutation => ({
  name,
  apply: (draft, random) => {
    draft.path = change(draft.path, random);
  },
});

const hex = (code: number) => `%${code.toString(16).padStart(2, "0")}`;

export const pathMutations: readonly Mutation[] = [
  path("an escaped letter in the path", (text, random) => {
    const at = random.int(1, text.length - 1);
    return inserted(text, at, hex(text.charCodeAt(at)), 1);
  }),
  path("a path escaped twice", (text) => text.replaceAll("/", "%252f")),
  path("a path in another case", (text, random) => {
    const at = positionIn(random, text);
    return text.slice(0, at) + text.slice(at).toUpperCase();
  }),
  path("dots and slashes in the path", (text, random) => {
    const insertion = random.pick([
      "/..",
      "/.",
      "//",
      "/%2e%2e",
      "/..;",
      "\\..\\",
      "/%5c",
      "/../../etc/passwd",
    ]);
    return inserted(text, random.pick([0, text.lastIndexOf("/"), text.length]), insertion);
  }),
  path("a trailing slash", (text) => `${text}/`),
  path("a truncated path", (text, random) => text.slice(0, Math.max(1, positionIn(random, text)))),
  path(
    "a path that is too long",
    (text, random) => text + "/x".repeat(random.pick([1_000, 2_100, 9_000])),
  ),
  path("non-ASCII letters in the path", (text, random) =>
    inserted(
      text,
      random.int(1, text.length),
      asBytes(random.pick(["é", "😀", "ａｐｉ", "\u202e"])),
    ),
  ),
  path("an invalid escape in the path", (text, random) =>
    inserted(
      text,
      random.int(1, text.length),
      random.pick(["%", "%z", "%zz", "%c3", "%ff", "%ed%a0%80", "%00"]),
    ),
  ),
  path(
    "a suffix after the path",
    (text, random) => text + random.pick([";a=b", "#x", "*", "%3F", "%23", ".json", "~"]),
  ),
  path("another path", (_, random) =>
    random.pick([
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

/** Request targets that are not a path, some of which no HTTP parser accepts. */
export const targetMutations: readonly Mutation[] = [
  {
    name: "a request target that is not a path",
    apply: (draft, random) => {
      draft.mayEndConnection = true;
      draft.path = random.pick([
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

const query = (
  name: string,
  change: (query: string, random: SeededRandom) => string,
): Mutation => ({
  name,
  apply: (draft, random) => {
    draft.query = change(draft.query, random);
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
  query("an unknown parameter", (text, random) => add(text, `${random.word(4)}=1`)),
  query("a repeated parameter", (text) => add(text, text.slice(1).split("&")[0] ?? "a=b")),
  query("an extra parameter with a hostile value", (text, random) =>
    add(text, `${random.pick(names)}=${escapeSome(random.pick(hostileTexts), random)}`),
  ),
  query("a parameter changed to a hostile value", (text, random) =>
    text.replace(/=[^&]*/, () => `=${escapeSome(random.pick(hostileTexts), random)}`),
  ),
  query("a missing parameter", (text) => text.replace(/[?&][^&]*$/, "")),
  query("unusual query syntax", (text, random) =>
    add(
      text,
      random.pick(["&&", "=", "a[]=1", "a[b]=1", "?", "%00=1", "__proto__=1", "a=%ff", "+", "a;b"]),
    ),
  ),
  query("a very long query", (text, random) =>
    add(text, `query=${"y".repeat(random.pick([200, 4_000, 20_000]))}`),
  ),
];

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE"] as const;

function method(
  name: string,
  mayEndConnection: boolean,
  choices: readonly [string, ...string[]],
): Mutation {
  return {
    name,
    apply: (draft: Draft, random) => {
      draft.method = random.pick(choices);
      draft.mayEndConnection ||= mayEndConnection;
    },
  };
}

export const methodMutations: readonly Mutation[] = [
  method("another method", false, methods),
  method("a nonstandard method", true, ["get", "BREW", "CONNECT", "PRI", "PROPFIND", "", "G ET"]),
];
