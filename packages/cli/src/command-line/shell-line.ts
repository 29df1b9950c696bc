/** The command line that these arguments came from, quoted so that a shell reads the same. */
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

/** The same request, said to be the same: with its key, and as one that may have been sent before. */
export function resendLine(argv: readonly string[], key: string): string {
  const others = withoutOptions(argv, ["--idempotency-key"]).filter((arg) => arg !== "--resend");
  return shellLine([...others, "--idempotency-key", key, "--resend"]);
}
