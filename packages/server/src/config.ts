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

/** Reads the settings from the environment. A name or a value that is not understood stops the start. */
export function readConfig(mode: Mode, env: Readonly<Record<string, string | undefined>>): Config {
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
  const config = values as unknown as Config;
  if (problems.length === 0) problems.push(...contradictions(config));
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** Settings that are good each, and wrong together. */
function contradictions(config: Config): string[] {
  const problems: string[] = [];
  if (config.mode === "preview") {
    if (config.hsts !== "off") {
      problems.push(
        `IRONLEASE_HSTS is ${config.hsts}, which only serve allows: it would bind every site on localhost. Leave it out.`,
      );
    }
    return problems;
  }
  if (config.authLimits === "off") {
    problems.push("IRONLEASE_AUTH_LIMITS is off, which only preview allows: leave it out.");
  }
  if (config.settlement === "simulated") {
    problems.push("IRONLEASE_SETTLEMENT is simulated, which only preview allows: leave it out.");
  }
  if (!config.listen.isLoopback && config.origin === undefined) {
    problems.push(
      "IRONLEASE_ORIGIN is needed on a listener that is not loopback: set it to the address that browsers use, such as https://rent.example.",
    );
  }
  if (config.operatorPassword !== undefined) {
    problems.push(
      "IRONLEASE_OPERATOR_PASSWORD is for preview only: make operators with ironleased operator add.",
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
