import type { Dice } from "../dice.ts";
import type { Draft } from "../draft.ts";
import { hostileTexts, type Mutation } from "./mutation.ts";

type Path = readonly (string | number)[];

/** Every place in a value, the value itself first. */
function placesIn(value: unknown, at: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [at];
  const inner = Object.entries(value).flatMap(([key, item]) => placesIn(item, [...at, key]));
  return [at, ...inner.slice(0, 200)];
}

/** The value with one place changed; undefined takes the place away. */
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

/** Numbers as text, where JSON.stringify would write another one. */
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

const retyped = (dice: Dice, old: unknown): unknown =>
  dice.pick([null, true, false, "", "1", 1, [], {}, [old], { value: old }, String(old), [[]]] as [
    unknown,
    ...unknown[],
  ]);

/** Something else at one place of the body. */
const atPlace = (name: string, change: (dice: Dice, old: unknown) => unknown): Mutation => ({
  name,
  apply: (draft, dice) => {
    if (draft.json === undefined) return;
    const place = dice.pick(placesIn(draft.json)) ?? [];
    setJson(
      draft,
      changed(draft.json, place, (old) => change(dice, old)),
    );
  },
});

/** Something else in the text of the body, which no value could say. */
const inText = (name: string, change: (dice: Dice, text: string) => string): Mutation => ({
  name,
  apply: (draft, dice) => {
    if (draft.body !== undefined) draft.body = Buffer.from(change(dice, draft.body.toString()));
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

const firstMember = /^\{("[^"]+"):/;

export const jsonMutations: readonly Mutation[] = [
  atPlace("a value less", () => undefined),
  atPlace("a value of another type", retyped),
  atPlace("hostile text", (dice) => dice.pick(hostileTexts)),
  atPlace("hostile text after it", (dice, old) =>
    typeof old === "string" ? old + dice.pick(hostileTexts) : old,
  ),
  atPlace("a number at an edge", (dice) => dice.pick(numbers)),
  atPlace("a field more", (dice, old) =>
    typeof old === "object" && old !== null && !Array.isArray(old)
      ? {
          ...old,
          [dice.pick([
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
  atPlace("a long list", (dice, old) =>
    Array.from({ length: dice.pick([21, 500, 6_000]) }, () => old),
  ),
  atPlace("space around it", (_, old) => (typeof old === "string" ? ` ${old}\t` : old)),
  atPlace("another case", (_, old) => (typeof old === "string" ? otherCase(old) : old)),
  inText("a key twice", (_, text) =>
    text.replace(firstMember, (_, key: string) => `{${key}:1,${key}:`),
  ),
  inText("a key twice, one of them escaped", (_, text) =>
    text.replace(firstMember, (_, key: string) => {
      const escaped = `"\\u${key.charCodeAt(1).toString(16).padStart(4, "0")}${key.slice(2)}`;
      return `{${escaped}:1,${key}:`;
    }),
  ),
  inText("the prototype", (dice, text) =>
    text.replace(/^\{/, `{"${dice.pick(["__proto__", "\\u005f_proto__"])}":{"isAdmin":true},`),
  ),
  inText("a number in an odd spelling", (dice, text) =>
    text.replace(/(?<=:)(?:-?\d+(?:\.\d+)?|"[^"]*"|true|false|null)/, dice.pick(spellings)),
  ),
  inText("nested deeply", (dice, text) =>
    text.replace(/(?<=:)(?:"[^"]*"|\d+)/, () => nested(dice.pick([30, 33, 5_000]), "1")),
  ),
  inText("no object at all", (dice) =>
    dice.pick([
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
  inText("space", (dice, text) => text.replace(",", `,${" ".repeat(dice.pick([1, 70_000]))}`)),
  inText("a comment or a comma", (dice, text) =>
    text.replace(/\}$/, dice.pick([",}", "}//", "}/**/", "};", "}\0"])),
  ),
  inText("escapes", (_, text) =>
    text.replaceAll(
      /[a-z](?=[a-z]*")/g,
      (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
  ),
];
