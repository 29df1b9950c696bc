import type { Fields } from "./redfish-http.ts";

/** Readers of a controller's JSON, which may have any shape. */

/** The object at a path, empty when there is none. */
export function at(value: Fields, ...names: readonly string[]): Fields {
  let current: unknown = value;
  for (const name of names) current = isFields(current) ? current[name] : undefined;
  return isFields(current) ? current : {};
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}

export function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

export function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

/** The path of a link. Only a path on the same controller counts. */
export function firstLink(value: unknown): string | undefined {
  return linksIn([value])[0];
}

export function linksIn(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown) => {
    const path = isFields(item) ? pathIn(item["@odata.id"]) : undefined;
    return path === undefined ? [] : [path];
  });
}

export function pathIn(value: unknown): string | undefined {
  const path = text(value);
  return path !== undefined && /^\/[A-Za-z0-9/_.~%@:#+-]{1,400}$/.test(path) ? path : undefined;
}
