/** A number that JavaScript cannot represent exactly must never reach a money column. */
export function refuseInexactInteger(value: unknown): void {
  if (typeof value === "bigint" || (typeof value === "number" && !Number.isSafeInteger(value))) {
    throw new RangeError("only integers within 2^53 are stored");
  }
}

/**
 * Accepts only parameters that both engines store alike. The drivers convert other values silently: undefined
 * becomes null, and a date becomes text.
 */
export function refuseUnstorable(value: unknown): void {
  if (typeof value === "string" || value === null) return;
  refuseInexactInteger(value);
  if (typeof value !== "number") throw new TypeError("only text, integers and null are stored");
}
