import fc from "fast-check";
import type { Dice } from "./dice.ts";

/** As much of a schema as values are made from. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
}

/** Texts that people send, and those that something in between might not survive. */
const texts = [
  "laptop",
  "Ada's key",
  "ключ 鍵 🔑",
  "'; drop table accounts; --",
  "%_\\%%",
  "<script>alert(1)</script>",
  "e\u0301\u200d\u202e\ufeff",
  "${7*7}{{7*7}}",
  "../../etc/passwd",
  "line\r\nbreak\ttab",
] as const;

/** A value that the schema takes; what it cannot say is put right afterwards. */
export function valueFor(schema: Schema, dice: Dice): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return dice.pick(schema.enum);
  if (schema.anyOf !== undefined) return valueFor(dice.pick(schema.anyOf) ?? {}, dice);
  const type = typeof schema.type === "object" ? dice.pick(schema.type) : schema.type;
  switch (type) {
    case "object":
      return objectFor(schema, dice);
    case "array":
      return Array.from({ length: dice.int(schema.minItems ?? 0, 3) }, () =>
        valueFor(schema.items ?? {}, dice),
      );
    case "string":
      return textFor(schema, dice);
    case "integer":
    case "number":
      return numberFor(schema, dice);
    case "boolean":
      return dice.chance(0.5);
    default:
      return null;
  }
}

function objectFor({ properties = {}, required = [] }: Schema, dice: Dice): object {
  const chosen = Object.entries(properties).filter(
    ([name]) => required.includes(name) || dice.chance(0.4),
  );
  return Object.fromEntries(chosen.map(([name, schema]) => [name, valueFor(schema, dice)]));
}

function numberFor({ minimum, exclusiveMinimum, maximum }: Schema, dice: Dice): number {
  const least = minimum ?? (exclusiveMinimum === undefined ? 1 : exclusiveMinimum + 1);
  const most = maximum ?? least + 1_000;
  if (dice.chance(0.1)) return dice.pick([least, most]);
  return dice.int(Math.ceil(least), Math.min(Math.floor(most), Math.ceil(least) + 50));
}

function textFor({ minLength = 0, maxLength = 200, pattern, format }: Schema, dice: Dice): string {
  if (format === "date-time") return new Date(Date.now() - dice.int(0, 10 ** 9)).toISOString();
  if (pattern !== undefined) {
    const fitting = matching(pattern).filter((text) => fits(text, minLength, maxLength));
    return dice.pick(fitting) ?? "";
  }
  const points = Array.from(dice.pick(texts));
  const length = dice.chance(0.1) ? maxLength : Math.min(points.length, maxLength);
  return Array.from({ length: Math.max(length, minLength) }, (_, at) => points[at] ?? "x").join("");
}

const fits = (text: string, min: number, max: number) => text.length >= min && text.length <= max;

const byPattern = new Map<string, readonly string[]>();

/** Made once: what is left to chance is which of them is taken. */
function matching(pattern: string): readonly string[] {
  let found = byPattern.get(pattern);
  if (found === undefined) {
    found = fc.sample(fc.stringMatching(new RegExp(pattern)), { seed: 1, numRuns: 60 });
    byPattern.set(pattern, found);
  }
  return found;
}
