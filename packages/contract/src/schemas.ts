import { Type, type TUnsafe } from "typebox";
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

export const usd = Type.Number({
  description: "USD with at most two decimals.",
  examples: [125.5],
});

export const text = (description: string, example?: string) =>
  Type.String({ description, ...(example === undefined ? {} : { examples: [example] }) });

export const nullableText = (description: string) =>
  Type.Unsafe<string | null>({ type: ["string", "null"], description });

/** A count that JSON Schema and the serializer both know to be whole. */
export const count = (description: string) => Type.Integer({ minimum: 0, description });

/** A catalogue identifier in a request. Whether it exists is the catalogue's to say. */
export const catalogueId = (what: string) =>
  Type.String({
    minLength: 1,
    maxLength: limits.catalogueId.max,
    description: `A ${what} of the catalogue.`,
    message: `must be a ${what} of the catalogue`,
  });

/** USD in a request: a number, or a plain decimal string. Exactness is the service's to check. */
export const usdInRequest = (message: string) =>
  Type.Unsafe<number | string>({
    type: ["number", "string"],
    maxLength: 20,
    description: 'USD with at most two decimals: 25, 25.5 or "25.50".',
    message,
  });
