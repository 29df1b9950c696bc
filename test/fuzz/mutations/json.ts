import type { SeededRandom } from "../seeded-random.ts";
import type { Draft } from "../draft.ts";
import { hostileTexts, type Mutation } from "./mutation.ts";

type Path = readonly (string | number)[];

/** Paths to every part of a value, starting with the value itself. */
function pathsIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [at];
  const inner = Object.entries(value).flatMap(([key, item]) => pathsIn(item, [...at, key]));
  return [at, ...inner.slice(0, 200)];
}

/** A copy of the value with one part changed. Undefined removes an object's field. */
function changed(value: unknown, [key, ...rest]: Path, change: (old: unknown) => unknown): unknown {
  if (key === undefined) return change(value);
  if (typeof value !== "object" || value === null) return value;
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  copy[key] = changed(copy[key], rest, change);
  return copy;
}

const numbers = [
  0,
  -0,
  -1,
  1,
  0.1,
  0.005,
  1.005,
  20,
  21,
  1e15,
  1e21,
  2 ** 31,
  2 ** 53,
  1e308,
  -1e308,
  5e-324,
] as const;

/** Spellings of numbers that JSON.stringify would not produce. */
const spellings = [
  "1e309",
  "1E2",
  "-0.0",
  "1.0",
  "1e-400",
  "0.1e1",
  "100000000000000000000001",
  "01",
  "+1",
  ".5",
  "NaN",
  "Infinity",
  "0x10",
] as const;

const retyped = (random: SeededRandom, old: unknown): unknown =>
  random.pick([null, true, false, "", "1", 1, [], {}, [old], { value: old }, String(old), [[]]] as [
    unknown,
    ...unknown[],
  ]);

/** Changes one value in the body. */
const changeValue = (
  name: string,
  change: (random: SeededRandom, old: unknown) => unknown,
): Mutation => ({
  name,
  apply: (draft, random) => {
    if (draft.json === undefined) return;
    const path = random.pick(pathsIn(draft.json)) ?? [];
    setJson(
      draft,
      changed(draft.json, path, (old) => change(random, old)),
    );
  },
});

/** Changes the JSON text in a way that JSON.stringify could not produce. */
const changeText = (
  name: string,
  change: (random: SeededRandom, text: string) => string,
): Mutation => ({
  name,
  apply: (draft, random) => {
    if (draft.body !== undefined) draft.body = Buffer.from(change(random, draft.body.toString()));
  },
});

function setJson(draft: Draft, json: unknown): void {
  draft.json = json;
  draft.body = Buffer.from(JSON.stringify(json) ?? "");
}

const otherCase = (text: string) =>
  text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase();

const nested = (depth: number, inner: string) =>
  `${'{"a":'.repeat(depth)}${inner}${"}".repeat(depth)}`;

/** A list of lists would exceed the longest string. A repeated request may contain a long list already. */
const isLong = (value: unknown) => (JSON.stringify(value)?.length ?? 0) > 10_000;

const firstMember = /^\{("[^"]+"):/;

export const jsonMutations: readonly Mutation[] = [
  changeValue("a missing value", () => undefined),
  changeValue("a value of another type", retyped),
  changeValue("hostile text", (random) => random.pick(hostileTexts)),
  changeValue("hostile text after a value", (random, old) =>
    typeof old === "string" ? old + random.pick(hostileTexts) : old,
  ),
  changeValue("a boundary number", (random) => random.pick(numbers)),
  changeValue("an extra field", (random, old) =>
    typeof old === "object" && old !== null && !Array.isArray(old)
      ? {
          ...old,
          [random.pick([
            "price",
            "constructor",
            "toString",
            "",
            "id",
            "\0",
            "\ud800",
            "a".repeat(300),
          ])]: 1,
        }
      : old,
  ),
  changeValue("a long list", (random, old) =>
    Array.from({ length: isLong(old) ? 2 : random.pick([21, 500, 6_000]) }, () => old),
  ),
  changeValue("space around a value", (_, old) => (typeof old === "string" ? ` ${old}\t` : old)),
  changeValue("another case", (_, old) => (typeof old === "string" ? otherCase(old) : old)),
  changeText("a duplicate key", (_, text) =>
    text.replace(firstMember, (_, key: string) => `{${key}:1,${key}:`),
  ),
  changeText("a duplicate key, escaped once", (_, text) =>
    text.replace(firstMember, (_, key: string) => {
      const escaped = `"\\u${key.charCodeAt(1).toString(16).padStart(4, "0")}${key.slice(2)}`;
      return `{${escaped}:1,${key}:`;
    }),
  ),
  changeText("a __proto__ key", (random, text) =>
    text.replace(/^\{/, `{"${random.pick(["__proto__", "\\u005f_proto__"])}":{"isAdmin":true},`),
  ),
  changeText("an unusual spelling of a number", (random, text) =>
    text.replace(/(?<=:)(?:-?\d+(?:\.\d+)?|"[^"]*"|true|false|null)/, random.pick(spellings)),
  ),
  changeText("deep nesting", (random, text) =>
    text.replace(/(?<=:)(?:"[^"]*"|\d+)/, () => nested(random.pick([30, 33, 5_000]), "1")),
  ),
  changeText("no object", (random) =>
    random.pick([
      "[]",
      "null",
      "1",
      '"x"',
      "",
      " ",
      "{}",
      "{}{}",
      "[{}]",
      "true",
      "\ufeff{}",
      "undefined",
    ]),
  ),
  changeText("space between fields", (random, text) =>
    text.replace(",", `,${" ".repeat(random.pick([1, 70_000]))}`),
  ),
  changeText("a comment or a comma", (random, text) =>
    text.replace(/\}$/, random.pick([",}", "}//", "}/**/", "};", "}\0"])),
  ),
  changeText("escaped letters", (_, text) =>
    // A lookahead for the quotation mark would be quadratic on a payout of a million letters.
    text.replaceAll(/[a-z]+/g, (letters, offset: number) =>
      text[offset + letters.length] === '"' ? escaped(letters) : letters,
    ),
  ),
];

function escaped(letters: string): string {
  return letters.replaceAll(
    /[a-z]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
