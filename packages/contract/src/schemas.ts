import { Type, type TUnsafe } from "typebox";
import { idPrefixes, type IdKind } from "./ids.ts";
import { limits } from "./limits.ts";

/**
 * A string that is one of the given words. Written as an enum and not as a union of literals, since
 * the serializer would otherwise validate each alternative at run time.
 */
export function words<const Words extends readonly string[]>(
  values: Words,
  options: { description?: string; message?: string } = {},
): TUnsafe<Words[number]> {
  return Type.Unsafe<Words[number]>({
    type: "string",
    enum: values,
    message: `must be one of ${values.join(", ")}`,
    ...options,
  });
}

export const time = Type.String({
  format: "date-time",
  description: "ISO 8601 in UTC with milliseconds.",
  examples: ["2026-11-15T09:30:00.000Z"],
});

export const nullableTime = Type.Unsafe<string | null>({
  type: ["string", "null"],
  format: "date-time",
  description: "ISO 8601 in UTC with milliseconds, or null.",
});

export const usd = Type.Number({ description: "USD with at most two decimals." });

export const id = (kind: IdKind, description?: string) =>
  Type.String({
    ...(description === undefined ? {} : { description }),
    examples: [`${idPrefixes[kind]}_01kfxq8n3ve7wt5c2m9hzr4d6y`],
  });

export const text = (description: string, example?: string) =>
  Type.String({ description, ...(example === undefined ? {} : { examples: [example] }) });

export const nullableText = (description: string) =>
  Type.Unsafe<string | null>({ type: ["string", "null"], description });

/** A count that JSON Schema and the serializer both know to be whole. */
export const count = (description: string) => Type.Integer({ minimum: 0, description });

const catalogueKinds = {
  configuration: "A configuration",
  region: "A region",
  "operating system": "An operating system",
} as const;

/** A catalogue identifier in a request. Whether it exists is the catalogue's to say. */
export const catalogueId = (kind: keyof typeof catalogueKinds) => {
  const description = `${catalogueKinds[kind]} of the catalogue`;
  return Type.String({
    minLength: 1,
    maxLength: limits.catalogueId.max,
    description: `${description}.`,
    message: `must be ${description.charAt(0).toLowerCase()}${description.slice(1)}`,
  });
};

/**
 * A whole number in a query. A query carries text, so the check is of text; `describedAs` is what
 * documents and generated clients say instead.
 */
export const integerInQuery = ({ min, max }: { readonly min: number; readonly max: number }) =>
  Type.String({
    pattern: `^(?:${Array.from({ length: max - min + 1 }, (_, index) => min + index).join("|")})$`,
    message: `must be a whole number from ${min} to ${max}`,
    describedAs: { type: "integer", minimum: min, maximum: max },
  });

/** USD in a request: a number, or a plain decimal string. Exactness is the service's to check. */
export const usdInRequest = (message: string) =>
  Type.Unsafe<number | string>({
    type: ["number", "string"],
    maxLength: 20,
    description: 'USD with at most two decimals: 25, 25.5 or "25.50".',
    message,
  });
