import { isLoopbackHost } from "./setting-readers.ts";
import { defaultFor, settings, type Config, type Mode, type Setting } from "./settings.ts";

export { defaultFor, settings, type Config, type Mode, type Setting };

/** Everything that is wrong with the settings, one sentence each. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/** The setting that names a file with the value of a secret setting. */
export function secretFileName({ name, secret }: Setting<unknown>): string | undefined {
  return secret === true ? `${name}_FILE` : undefined;
}

/** Variables of the command line and of tests, which the service ignores. */
const foreign = /^IRONLEASE_(?:URL|API_KEY|TEST_.*)$/;

type Environment = Readonly<Record<string, string | undefined>>;

/** The problems that stop each mode. A command works on the data of both other modes, so it has none. */
const refusals: Readonly<Record<Mode, (config: Config) => readonly string[]>> = {
  preview: (config) => [
    ...serveOnly(config),
    ...acmeContradictions(config),
    ...mailContradictions(config),
  ],
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

/** Reads the settings and refuses only unknown names and invalid values. */
export function parseConfig(mode: Mode, env: Environment): Config {
  const problems: string[] = [];
  const known = new Set<string>(Object.values(settings).map(({ name }) => name));
  for (const name of Object.keys(env)) {
    if (name.startsWith("IRONLEASE_") && !known.has(name) && !foreign.test(name)) {
      problems.push(`${name} is not a setting. For the list, see docs/reference/configuration.md.`);
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

/** The settings that the environment sets, for the log, without the values of secrets. */
export function settingsInUse(env: Environment): Readonly<Record<string, string>> {
  const inUse: Record<string, string> = {};
  for (const { name, secret } of Object.values<Setting<unknown>>(settings)) {
    const text = env[name];
    if (text !== undefined) inUse[name] = secret === true ? "(secret)" : text;
  }
  return inUse;
}

/** What only `preview` accepts. */
export function previewOnly(config: Config): readonly string[] {
  const problems: string[] = [];
  if (config.authLimits === "off") {
    problems.push("IRONLEASE_AUTH_LIMITS is off, which only preview allows. Unset it.");
  }
  if (config.settlement === "simulated") {
    problems.push("IRONLEASE_SETTLEMENT is simulated, which only preview allows. Unset it.");
  }
  if (config.webhookNetworks !== undefined) {
    problems.push("IRONLEASE_WEBHOOK_ALLOW is for preview only. Unset it.");
  }
  if (config.operatorPassword !== undefined) {
    problems.push(
      "IRONLEASE_OPERATOR_PASSWORD is for preview only. Unset it, and add operators with ironleased operator add.",
    );
  }
  return problems;
}

/** What only `serve` accepts. */
function serveOnly(config: Config): readonly string[] {
  if (config.hsts === "off") return [];
  return [
    `IRONLEASE_HSTS is ${config.hsts}, which only serve allows, because it would affect every site on localhost. Unset it.`,
  ];
}

/**
 * Origins at which signing in fails: browsers accept secure cookies over HTTPS, and over HTTP only from
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

/** The host names of both origins, which a certificate by ACME is for. */
export function certificateNames({ origin = [], operatorOrigin = [] }: Config): readonly string[] {
  const hosts = [...origin, ...operatorOrigin].map((each) => new URL(each).hostname);
  return [...new Set(hosts)].filter((host) => !isLoopbackHost(host));
}

function acmeContradictions(config: Config): readonly string[] {
  if (config.tls.kind !== "acme") return [];
  const names = certificateNames(config);
  const isName = (host: string) => host.includes(".") && !/^[\d.]+$/.test(host);
  if (config.origin !== undefined && names.length > 0 && names.every(isName)) return [];
  return [
    "IRONLEASE_TLS=acme needs public host names in IRONLEASE_ORIGIN, such as https://rent.example, and no addresses in either origin.",
  ];
}

/** Settings that are valid by themselves but not together. */
export function contradictions(config: Config): readonly string[] {
  const problems: string[] = [];
  if (!config.listen.isLoopback && config.origin === undefined) {
    problems.push(
      "IRONLEASE_ORIGIN is required unless the listener is on loopback. Set it to the address that browsers use, such as https://rent.example.",
    );
  }
  const { operatorListen } = config;
  if (operatorListen?.isLoopback === false && config.operatorOrigin === undefined) {
    problems.push(
      "IRONLEASE_OPERATOR_ORIGIN is required unless the operator listener is on loopback. Set it to the address that operators use, such as https://desk.example.",
    );
  }
  return [...problems, ...acmeContradictions(config), ...mailContradictions(config)];
}

function mailContradictions({ smtp, smtpPasswordFile, mailFrom }: Config): readonly string[] {
  if (smtp === undefined) return [];
  const problems: string[] = [];
  if (mailFrom === undefined) {
    problems.push(
      "IRONLEASE_MAIL_FROM is required with IRONLEASE_SMTP. Set it to the sender of e-mails, such as no-reply@rent.example.",
    );
  }
  const hasOne = (smtp.password === undefined) !== (smtpPasswordFile === undefined);
  if (
    (smtp.user !== undefined || smtpPasswordFile !== undefined) &&
    !(smtp.user !== undefined && hasOne)
  ) {
    problems.push(
      "IRONLEASE_SMTP needs a user with one password, in the URL or in IRONLEASE_SMTP_PASSWORD_FILE. Set exactly one of them.",
    );
  }
  return problems;
}
