import type { FieldError } from "@ironlease/contract";
import type { TObject } from "typebox";
import { compileRequestCheck } from "#kernel/field-checks.ts";

/** Returns the invalid fields of a request. An empty list means that the request is valid. */
export type FieldCheck = (value: unknown) => readonly FieldError[];

/** Field names come from the client, so their length in the answer is limited. */
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
