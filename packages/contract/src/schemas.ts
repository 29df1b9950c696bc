import { Type, type TUnsafe } from "typebox";
import { idPrefixes, type IdKind } from "./ids.ts";
import { limits } from "./limits.ts";

/**
 * A string enum. A union of literals would make the serializer validate each alternative at run
 * time.
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
  description: "ISO 8601, UTC, with milliseconds.",
  examples: ["2026-11-15T09:30:00.000Z"],
});

export const nullableTime = Type.Unsafe<string | null>({
  type: ["string", "null"],
  format: "date-time",
  description: "ISO 8601, UTC, with milliseconds, or null.",
});

export const usd = Type.Number({ description: "Amount in USD, with at most two decimals." });

export const id = (kind: IdKind, description?: string) =>
  Type.String({
    ...(description === undefined ? {} : { description }),
    examples: [`${idPrefixes[kind]}_01kfxq8n3ve7wt5c2m9hzr4d6y`],
  });

export const text = (description: string, example?: string) =>
  Type.String({ description, ...(example === undefined ? {} : { examples: [example] }) });

export const nullableText = (description: string, example?: string) =>
  Type.Unsafe<string | null>({
    type: ["string", "null"],
    description,
    ...(example !== undefined && { examples: [example] }),
  });

export const count = (description: string) => Type.Integer({ minimum: 0, description });

const catalogueKinds = {
  configuration: "A configuration",
  region: "A region",
  "operating system": "An operating system",
} as const;

/** A catalogue id in a request. The use case checks that it exists. */
export const catalogueId = (kind: keyof typeof catalogueKinds) => {
  const description = `${catalogueKinds[kind]} id from the catalogue`;
  return Type.String({
    minLength: 1,
    maxLength: limits.catalogueId.max,
    description: `${description}.`,
    message: `must be ${description.charAt(0).toLowerCase()}${description.slice(1)}`,
  });
};

/**
 * An integer in a query. Query values are strings, so a pattern checks them; documents and
 * generated clients use `describedAs` instead.
 */
export const integerInQuery = (
  { min, max }: { readonly min: number; readonly max: number },
  options: { readonly description?: string } = {},
) =>
  Type.String({
    ...options,
    pattern: `^(?:${Array.from({ length: max - min + 1 }, (_, index) => min + index).join("|")})$`,
    message: `must be a whole number from ${min} to ${max}`,
    describedAs: { type: "integer", minimum: min, maximum: max },
  });

/** USD in a request: a number or a plain decimal string. The use case checks the decimals. */
export const usdInRequest = (message: string) =>
  Type.Unsafe<number | string>({
    type: ["number", "string"],
    maxLength: 20,
    description: 'Amount in USD, with at most two decimals: 25, 25.5 or "25.50".',
    message,
  });
