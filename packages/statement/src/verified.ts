import { canonicalJson, type Json } from "./canonical-json.ts";
import type { StatementEntry } from "./statement.ts";

/** `entry` is the one where the check failed. */
export interface Problem {
  readonly problem: string;
  readonly entry?: StatementEntry;
}

export type Verified<T> =
  | { readonly ok: true; readonly value: T }
  | ({ readonly ok: false } & Problem);

export function bad(problem: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem };
}

/** Undefined if the bytes are not UTF-8. */
export function textOf(file: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(file);
  } catch {
    return undefined;
  }
}

/** Undefined unless the text is canonical JSON. */
export function parseJson(text: string): unknown {
  try {
    const value = JSON.parse(text) as Json;
    return canonicalJson(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether the value has exactly these members, of these types: as `typeof` names them, with `?` if null is allowed. */
export function fits(value: unknown, shape: Readonly<Record<string, string>>): boolean {
  if (typeof value !== "object" || value === null) return false;
  const members = Object.entries(value);
  return (
    members.length === Object.keys(shape).length &&
    members.every(([name, member]: [string, unknown]) => {
      const type = Object.hasOwn(shape, name) ? (shape[name] ?? "") : "";
      return member === null
        ? type.endsWith("?")
        : type.startsWith(typeof member) && isJson(member);
    })
  );
}

/** Canonical JSON has no infinite numbers and no lone surrogates. */
function isJson(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return typeof value !== "string" || value.isWellFormed();
}
