import fc from "fast-check";
import type { SeededRandom } from "./seeded-random.ts";

/** The JSON Schema keywords that the generator supports. */
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

/** Ordinary texts, and texts that break careless code. */
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

/** Generates a value that matches the schema. `adjustments` adds what a schema cannot express. */
export function valueFor(schema: Schema, random: SeededRandom): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return random.pick(schema.enum);
  if (schema.anyOf !== undefined) return valueFor(random.pick(schema.anyOf) ?? {}, random);
  const type = typeof schema.type === "object" ? random.pick(schema.type) : schema.type;
  switch (type) {
    case "object":
      return objectFor(schema, random);
    case "array":
      return Array.from({ length: random.int(schema.minItems ?? 0, 3) }, () =>
        valueFor(schema.items ?? {}, random),
      );
    case "string":
      return textFor(schema, random);
    case "integer":
    case "number":
      return numberFor(schema, random);
    case "boolean":
      return random.chance(0.5);
    default:
      return null;
  }
}

function objectFor({ properties = {}, required = [] }: Schema, random: SeededRandom): object {
  const chosen = Object.entries(properties).filter(
    ([name]) => required.includes(name) || random.chance(0.4),
  );
  return Object.fromEntries(chosen.map(([name, schema]) => [name, valueFor(schema, random)]));
}

function numberFor({ minimum, exclusiveMinimum, maximum }: Schema, random: SeededRandom): number {
  const min = minimum ?? (exclusiveMinimum === undefined ? 1 : exclusiveMinimum + 1);
  const max = maximum ?? min + 1_000;
  if (random.chance(0.1)) return random.pick([min, max]);
  return random.int(Math.ceil(min), Math.min(Math.floor(max), Math.ceil(min) + 50));
}

function textFor(
  { minLength = 0, maxLength = 200, pattern, format }: Schema,
  random: SeededRandom,
): string {
  if (format === "date-time") return new Date(Date.now() - random.int(0, 10 ** 9)).toISOString();
  if (pattern !== undefined) {
    const fitting = matching(pattern).filter((text) => fits(text, minLength, maxLength));
    return random.pick(fitting) ?? "";
  }
  const points = Array.from(random.pick(texts));
  const length = random.chance(0.1) ? maxLength : Math.min(points.length, maxLength);
  return Array.from({ length: Math.max(length, minLength) }, (_, at) => points[at] ?? "x").join("");
}

const fits = (text: string, min: number, max: number) => text.length >= min && text.length <= max;

const byPattern = new Map<string, readonly string[]>();

/** Generates samples once per pattern, because generating them is slow. */
function matching(pattern: string): readonly string[] {
  let found = byPattern.get(pattern);
  if (found === undefined) {
    found = fc.sample(fc.stringMatching(new RegExp(pattern)), { seed: 1, numRuns: 60 });
    byPattern.set(pattern, found);
  }
  return found;
}
