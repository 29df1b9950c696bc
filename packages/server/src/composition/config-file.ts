import { parse as parseToml, TomlError } from "smol-toml";
import { ConfigError, secretFileName, settings, type Setting } from "#config.ts";
import { readLocatedJson } from "#kernel/located-json.ts";
import { readText } from "./settings-file.ts";

/** The text of a setting, and where it was read. */
export interface PlacedText {
  readonly text: string;
  readonly place: string;
  /** The file that contains the text. Undefined for the environment. */
  readonly file?: string;
}

interface Document {
  readonly values: Readonly<Record<string, unknown>>;
  readonly lineOf: (key: string) => number;
}

/**
 * Reads the settings in a TOML or JSON file, by the names of their variables. A key is the name of the variable without
 * `IRONLEASE_`, in lower case. Throws a ConfigError that names every wrong line.
 */
export function readConfigFile(file: string): ReadonlyMap<string, PlacedText> {
  const { values, lineOf } = readDocument(file);
  const found = new Map<string, PlacedText>();
  const problems: string[] = [];
  for (const [key, value] of Object.entries(values)) {
    const place = `${file}:${lineOf(key)}`;
    const problem = problemWith(key, value);
    if (problem === undefined) found.set(variableOf(key), { text: String(value), place, file });
    else problems.push(`${place}: ${key} ${problem}.`);
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return found;
}

function readDocument(file: string): Document {
  const text = readText("--config", file);
  if (file.endsWith(".json")) return readJson(file, text);
  if (file.endsWith(".toml")) return readTomlText(file, text);
  throw new ConfigError([`--config must name a file that ends in .toml or .json: ${file}.`]);
}

function readJson(file: string, text: string): Document {
  const json = readLocatedJson(text);
  if (!json.ok) throw new ConfigError([`${file}:${json.line}: ${json.message}.`]);
  const { value } = json;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ConfigError([`${file}:1: the document must be an object of settings.`]);
  }
  const { $schema: _, ...values } = value as Readonly<Record<string, unknown>>;
  return { values, lineOf: (key) => json.lineOf([key]) };
}

function readTomlText(file: string, text: string): Document {
  try {
    return { values: parseToml(text), lineOf: (key) => lineOfKey(text, key) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    // The other lines of the message quote the file, which may hold a secret.
    const [message = ""] = error.message.split("\n");
    const reason = message.replace("Invalid TOML document: ", "");
    throw new ConfigError([`${file}:${error.line}: invalid TOML: ${reason}.`]);
  }
}

/** Settings are not nested, and no value that is accepted has a line break, so a key is at the start of its line. */
function lineOfKey(text: string, key: string): number {
  const start = /^[\s["']*([^\s"'=.[\]]+)/;
  return text.split("\n").findIndex((line) => start.exec(line)?.[1] === key) + 1;
}

const byName = new Map<string, Setting<unknown>>(
  Object.values(settings).map((setting) => [setting.name, setting]),
);
const secretFiles = new Set(Object.values<Setting<unknown>>(settings).map(secretFileName));

/** The end of a sentence that starts with the key, or undefined if the setting is valid. */
function problemWith(key: string, value: unknown): string | undefined {
  const name = variableOf(key);
  const setting = byName.get(name);
  if (key !== key.toLowerCase() || (setting === undefined && !secretFiles.has(name))) {
    const short = key.replace(/^IRONLEASE_/i, "").toLowerCase();
    const known = short !== key && byName.has(variableOf(short));
    const advice = known ? `Write ${short}` : "For the list, see docs/reference/configuration.md";
    return `is not a setting. ${advice}`;
  }
  if (typeof value !== "string" && typeof value !== "number") return "must be text or a number";
  if (/[\r\n]/.test(String(value))) return "must be one line";
  try {
    setting?.read(String(value));
    return undefined;
  } catch (error) {
    const shown = setting?.secret === true ? "" : ` (it is "${value}")`;
    return `${(error as Error).message}${shown}`;
  }
}

function variableOf(key: string): string {
  return `IRONLEASE_${key.toUpperCase()}`;
}
