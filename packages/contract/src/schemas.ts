import { Type, type TUnsafe } from "typebox";

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
