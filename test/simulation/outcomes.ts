import type { Result } from "#server/ports/result.ts";

/** The idempotency key that the client sends for a key of the model. */
export function wireKey(key: number): string {
  return `model-key-${key}`;
}

/** Returns `ok`, `replay` or the refusal code. */
export function outcomeOf(result: Result<unknown>): string {
  if (!result.ok) return result.refusal.code;
  // A refusal whose message to the customer is committed.
  const refusal = field(result, "refusal") as { readonly code: string } | undefined;
  if (refusal !== undefined) return refusal.code;
  return field(result, "replayed") === true ? "replay" : "ok";
}

/** A field of the result's value, or undefined if there is none. */
export function field(result: Result<unknown>, name: string): unknown {
  if (!result.ok || typeof result.value !== "object" || result.value === null) return undefined;
  return (result.value as Readonly<Record<string, unknown>>)[name];
}

export function serverIdsOf(result: Result<unknown>): readonly string[] {
  return (field(result, "body") as { readonly serverIds: readonly string[] }).serverIds;
}
