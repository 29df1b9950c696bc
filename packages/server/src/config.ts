import { isLoopbackHost } from "./setting-readers.ts";
import { defaultFor, settings, type Config, type Mode, type Setting } from "./settings.ts";

export { defaultFor, settings, type Config, type Mode, type Setting };

/** What is wrong with the settings, all of it at once, a sentence each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/** Variables that belong to the command line and to tests; the service leaves them alone. */
const foreign = /^IRONLEASE_(?:URL|API_KEY|TEST_.*)$/;

type Environment = Readonly<Record<string, string | undefined>>;

/** What each mode refuses. Commands work on the data of either, whatever its settings. */
const refusals: Readonly<Record<Mode, (config: Config) => readonly string[]>> = {
  preview: serveOnly,
  serve: (config) => [...previewOnly(config), ...contradictions(config)],
  command: () => [],
};

/** Reads the settings from the environment. Throws a ConfigError that lists every problem. */
export function readConfig(mode: Mode, env: Environment): Config {
  const config = parseConfig(mode, env);
  const problems = refusals[mode](config);
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** Reads the settings and refuses only a name or a value that is not understood. */
export function parseConfig(mode: Mode, env: Environment): Config {
  const problems: string[] = [];
  const known = new Set<string>(Object.values(settings).map(({ name }) => name));
  for (const name of Object.keys(env)) {
    if (name.startsWith("IRONLEASE_") && !known.has(name) && !foreign.test(name)) {
      problems.push(
        `${name} is not a setting; docs/reference/configuration.md lists those there are.`,
      );
    }
  }
  const values: Record<string, unknown> = { mode };
  for (const [key, setting] of Object.entries<Setting<unknown>>(settings)) {
    const text = env[setting.name] ?? defaultFor(setting, mode);
    if (text === undefined) continue;
    try {
      values[key] = setting.read(text);
    } catch (error) {
      const shown = setting.secret === true ? "" : ` (it is "${text}")`;
      problems.push(`${setting.name} ${(error as Error).message}${shown}.`);
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return values as unknown as Config;
}

/** The settings that the environment sets, for the log. A secret is named and its value left out. */
export function settingsInUse(env: Environment): Readonly<Record<string, string>> {
  const inUse: Record<string, string> = {};
  for (const { name, secret } of Object.values<Setting<unknown>>(settings)) {
    const text = env[name];
    if (text !== undefined) inUse[name] = secret === true ? "(secret)" : text;
  }
  return inUse;
}

/** What `serve` refuses and `preview` allows. Other commands take no notice of it. */
export function previewOnly(config: Config): readonly string[] {
  const problems: string[] = [];
  if (config.authLimits === "off") {
    problems.push("IRONLEASE_AUTH_LIMITS is off, which only preview allows: leave it out.");
  }
  if (config.settlement === "simulated") {
    problems.push("IRONLEASE_SETTLEMENT is simulated, which only preview allows: leave it out.");
  }
  if (config.operatorPassword !== undefined) {
    problems.push(
      "IRONLEASE_OPERATOR_PASSWORD is for preview only: make operators with ironleased operator add.",
    );
  }
  return problems;
}

/** What `preview` refuses and `serve` allows. */
function serveOnly(config: Config): readonly string[] {
  if (config.hsts === "off") return [];
  return [
    `IRONLEASE_HSTS is ${config.hsts}, which only serve allows: it would bind every site on localhost. Leave it out.`,
  ];
}

/**
 * Origins at which nobody can sign in: browsers keep our cookies over HTTPS only, and over HTTP from
 * their own machine.
 */
export function insecureOrigins(config: Config): readonly string[] {
  const named = [
    [settings.origin.name, config.origin ?? []],
    [settings.operatorOrigin.name, config.operatorOrigin ?? []],
  ] as const;
  return named.flatMap(([name, origins]) =>
    origins
      .filter((origin) => origin.startsWith("http:"))
      .filter((origin) => config.tls.kind !== "off" || !isLoopbackHost(new URL(origin).hostname))
      .map(
        (origin) =>
          `${name} has ${origin}, where browsers cannot sign in: set the https:// address that they use.`,
      ),
  );
}

/** Settings that are valid by themselves but not together. */
export function contradictions(config: Config): readonly string[] {
  const problems: string[] = [];
  if (!config.listen.isLoopback && config.origin === undefined) {
    problems.push(
      "IRONLEASE_ORIGIN is needed on a listener that is not loopback: set it to the address that browsers use, such as https://rent.example.",
    );
  }
  const { operatorListen } = config;
  if (operatorListen?.isLoopback === false && config.operatorOrigin === undefined) {
    problems.push(
      "IRONLEASE_OPERATOR_ORIGIN is needed on an operator listener that is not loopback: set it to the address that operators use, such as https://desk.example.",
    );
  }
  return problems;
}
