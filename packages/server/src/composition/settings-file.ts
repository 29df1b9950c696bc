import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { ConfigError } from "#config.ts";
import type { Fault } from "#kernel/field-checks.ts";
import { readLocatedJson } from "#kernel/located-json.ts";

/** The JSON file that a setting names. */
export interface SettingsFile {
  /** Not checked yet. */
  readonly document: unknown;
  /** Makes a sentence about a part of the file, which names its line. */
  readonly problem: (fault: Fault) => string;
}

/** Throws a ConfigError if the file cannot be read or is not JSON. */
export function readSettingsFile(setting: string, file: string): SettingsFile {
  const json = readLocatedJson(readText(setting, file));
  if (!json.ok) throw new ConfigError([`${file}:${json.line}: ${json.message}`]);
  return {
    document: withoutSchemaReference(json.value),
    problem: ({ path, message }) =>
      `${file}:${json.lineOf(path)}: ${path.join(".") || "the document"} ${message}`,
  };
}

/** Throws a ConfigError if the file cannot be read. */
export function readText(setting: string, file: string): string {
  if (file === "") throw new ConfigError([`${setting} is empty. Name a file, or unset it.`]);
  try {
    const bytes = readFileSync(file);
    if (!isUtf8(bytes)) throw new ConfigError([`${file}: not valid UTF-8`]);
    return new TextDecoder().decode(bytes);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError([`${setting} names ${file}, which ${whyUnreadable(error)}.`]);
  }
}

function whyUnreadable(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
  if (code === "ENOENT") return "does not exist";
  if (code === "EISDIR") return "is a folder";
  if (code === "EACCES") return "this user may not read. Change its owner or its mode";
  return `cannot be read (${code})`;
}

/** Editors validate the file against the schema that `$schema` names. */
function withoutSchemaReference(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const { $schema, ...rest } = value as Readonly<Record<string, unknown>>;
  return typeof $schema === "string" ? rest : value;
}
