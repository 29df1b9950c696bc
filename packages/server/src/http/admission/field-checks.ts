import type { FieldError } from "@ironlease/contract";
import type { TObject } from "typebox";
import { compileRequestCheck } from "#kernel/field-checks.ts";

/** Says which fields of a request are at fault; an empty list is a good request. */
export type FieldCheck = (value: unknown) => readonly FieldError[];

/** A field's name comes from the sender, and must not make the answer longer than this each. */
const maxFieldLength = 200;

export function compileFieldCheck(schema: TObject): FieldCheck {
  const check = compileRequestCheck(schema);
  return (value) => {
    const byField = new Map<string, FieldError>();
    for (const { path, message } of check(value)) {
      const field = path.join(".").slice(0, maxFieldLength) || "body";
      if (!byField.has(field)) byField.set(field, { field, message });
    }
    return [...byField.values()];
  };
}
