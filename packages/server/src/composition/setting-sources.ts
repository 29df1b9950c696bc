import { ConfigError, secretFileName, settings, type Setting } from "#config.ts";
import { readConfigFile, type PlacedText } from "./config-file.ts";
import { readText } from "./settings-file.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface GatheredSettings {
  /** The environment, completed from the file, with the contents of secret files in place of their names. */
  readonly env: Environment;
  /** Where each setting comes from, unless it has its default. */
  readonly sources: ReadonlyMap<string, string>;
  /** The files that contain secrets. */
  readonly secretFiles: readonly string[];
}

type Layer = ReadonlyMap<string, PlacedText>;

/**
 * Gathers the settings from the environment and from a file. The environment takes precedence. Throws a ConfigError that
 * lists what is wrong with the file and with files of secrets.
 */
export function gatherSettings(env: Environment, file: string | undefined): GatheredSettings {
  const problems: string[] = [];
  const own = withSecrets(layerOf(env), problems);
  const others =
    file === undefined
      ? new Map<string, PlacedText>()
      : withSecrets(readConfigFile(file), problems);
  if (problems.length > 0) throw new ConfigError(problems);
  const all = new Map([...others, ...own]);
  const variables = Object.entries(env).filter(([name]) => !secretFileNames.has(name));
  return {
    env: { ...textsOf(all), ...Object.fromEntries(variables) },
    sources: new Map(Array.from(all, ([name, { place }]) => [name, place])),
    secretFiles: [...filesOfSecrets(others), ...filesOfSecrets(own)],
  };
}

const known = Object.values<Setting<unknown>>(settings);
const secretFileNames = new Set<string | undefined>(known.map(secretFileName));

function filesOfSecrets(layer: Layer): readonly string[] {
  return known
    .filter(({ secret }) => secret === true)
    .flatMap(({ name }) => layer.get(name) ?? [])
    .flatMap(({ text, file }) => (file === undefined || isUrlWithoutPassword(text) ? [] : file));
}

/** Several hosts may be in a URL, which the standard parser refuses. */
function isUrlWithoutPassword(text: string): boolean {
  const authority = /^[a-z]+:\/\/([^/?#]*)/.exec(text)?.[1];
  return authority !== undefined && !/^[^:@]*:.*@/.test(authority) && !/[?&]password=/.test(text);
}

/** The settings among the variables. */
function layerOf(env: Environment): Layer {
  const layer = new Map<string, PlacedText>();
  for (const setting of known) {
    for (const name of [setting.name, secretFileName(setting)]) {
      const text = name === undefined ? undefined : env[name];
      if (name !== undefined && text !== undefined) layer.set(name, { text, place: "environment" });
    }
  }
  return layer;
}

/** The layer with the contents of secret files in place of their names. */
function withSecrets(layer: Layer, problems: string[]): Layer {
  const complete = new Map(layer);
  for (const setting of known) {
    const { name } = setting;
    const fileName = secretFileName(setting);
    const named = fileName === undefined ? undefined : layer.get(fileName);
    if (fileName === undefined || named === undefined) continue;
    complete.delete(fileName);
    const { text: path, place } = named;
    if (layer.has(name)) {
      problems.push(`${name} and ${fileName} are both set (${place}). Set one of them.`);
      continue;
    }
    complete.set(name, {
      text: readSecret(fileName, path),
      place: `${path} (${place})`,
      file: path,
    });
  }
  return complete;
}

/** The line in a file of a secret. A line break at its end is not part of it. */
function readSecret(setting: string, path: string): string {
  const text = readText(setting, path).replace(/\r?\n$/, "");
  if (text !== "" && !/[\r\n]/.test(text)) return text;
  const found = text === "" ? "is empty" : "has several lines";
  throw new ConfigError([`${setting} names ${path}, which ${found}. It must have one line.`]);
}

function textsOf(layer: Layer): Environment {
  return Object.fromEntries(Array.from(layer, ([name, { text }]) => [name, text]));
}
