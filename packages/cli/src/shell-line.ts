import type { SharedValues } from "./shared-options.ts";

/** The command line of these arguments, quoted for a shell. */
export function shellLine(argv: readonly string[]): string {
  return ["ironlease", ...argv.map(quoted)].join(" ");
}

function quoted(arg: string): string {
  return /^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", `'\\''`)}'`;
}

/** The same arguments without these options and their values. */
export function withoutOptions(
  argv: readonly string[],
  options: readonly string[],
): readonly string[] {
  return argv.filter(
    (arg, index) =>
      !options.some((option) => arg === option || arg.startsWith(`${option}=`)) &&
      !options.includes(argv[index - 1] ?? ""),
  );
}

type Aim = Pick<SharedValues, "profile" | "url" | "ca" | "fingerprint">;

/** A suggested command with the options that select the service and account. */
export function aimed(line: string, aim: Aim): string {
  const isAnywhere = /^(?!ironlease )|^ironlease profile | --help$/.test(line);
  if (isAnywhere) return line;
  const { profile, url, ca, fingerprint } = aim;
  const given = Object.entries({ profile, url, ca, fingerprint }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, quoted(value)],
  );
  return [line, ...given].join(" ");
}

/** The command line that retries a request with its key. */
export function resendLine(argv: readonly string[], key: string): string {
  const others = withoutOptions(argv, ["--idempotency-key"]).filter((arg) => arg !== "--resend");
  return shellLine([...others, "--idempotency-key", key, "--resend"]);
}
