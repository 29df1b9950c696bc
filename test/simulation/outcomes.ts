import type { Result } from "#server/ports/result.ts";

/** How the keys of the model are spelled on the wire. */
export function wireKey(key: number): string {
  return `model-key-${key}`;
}

/** `ok`, `replay` or the code of a refusal. */
export function outcomeOf(result: Result<unknown>): string {
  if (!result.ok) return result.refusal.code;
  return field(result, "replayed") === true ? "replay" : "ok";
}

/** A field of what a write gave, if it gave an object that has it. */
export function field(result: Result<unknown>, name: string): unknown {
  if (!result.ok || typeof result.value !== "object" || result.value === null) return undefined;
  return (result.value as Readonly<Record<string, unknown>>)[name];
}

export function serverIdsOf(result: Result<unknown>): readonly string[] {
  return (field(result, "body") as { readonly serverIds: readonly string[] }).serverIds;
}
