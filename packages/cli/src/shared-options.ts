import {
  checkFormat,
  columnsOption,
  didYouMean,
  formatOptions,
  nearest,
  UsageError,
  type Command,
  type Options,
  type OptionValues,
} from "@ironlease/command-line";

/** Options of every command. */
export const globalOptions = {
  ...formatOptions,
  ...columnsOption,
  quiet: { short: "q", meaning: "Print nothing but ids, one per line." },
  get: {
    value: "FIELD",
    meaning: "Print one field of the JSON, such as id or servers.0.id.",
  },
  profile: { value: "NAME", completes: "profiles", meaning: "Use this saved profile." },
  url: {
    value: "URL",
    meaning: "Address of the service. Default: IRONLEASE_URL, or the profile's.",
  },
  ca: { value: "FILE", meaning: "Trust certificates signed by this CA (a PEM file)." },
  fingerprint: {
    value: "SHA256",
    meaning: "Trust only the certificate with this SHA-256 fingerprint.",
  },
  timeout: {
    value: "SECONDS",
    fallback: "15",
    meaning: "Give up on a request after this many seconds, retries included.",
  },
  debug: {
    meaning: "Print requests and responses to standard error. Secrets are masked.",
  },
  help: { short: "h", meaning: "Show this help." },
} as const satisfies Options;

export const askOption = {
  yes: { short: "y", meaning: "Skip the confirmation. Required without a terminal." },
} as const satisfies Options;

/** A copy of the contract's limits, because loading the contract would slow every command down. */
const keySyntax = /^[\w-]{8,100}$/;
const keyRule = "8 to 100 letters, digits, hyphens or underscores";

export const keyOptions = {
  "idempotency-key": {
    value: "KEY",
    meaning:
      `Idempotency key to send instead of a new one: ${keyRule}. ` +
      "The service carries out a request with the same key once.",
  },
  resend: {
    meaning: "Retry a request that may already have been sent with the given key.",
  },
} as const satisfies Options;

export const secretOption = {
  "password-stdin": { meaning: "Read passwords and codes from standard input, one per line." },
} as const satisfies Options;

/** Values of the shared options. Those that a command does not take are undefined. */
export type SharedValues = OptionValues<typeof globalOptions> &
  Partial<OptionValues<typeof askOption & typeof keyOptions & typeof secretOption>>;

/** Checks what the table cannot express. */
export function checkShared(
  command: Command & { readonly showsOnce?: true },
  values: SharedValues,
) {
  const { resend, timeout, get, "idempotency-key": key } = values;
  const help = `ironlease ${command.words.join(" ")} --help`;
  if (resend === true && key === undefined) {
    throw new UsageError("--resend needs --idempotency-key, the key of the first attempt.", help);
  }
  if (key !== undefined && !keySyntax.test(key)) {
    throw new UsageError(`--idempotency-key must be ${keyRule}.`, help);
  }
  checkField(command, get, help);
  checkFormat(command, values, help);
  if (values.quiet && command.showsOnce) {
    throw new UsageError("--quiet would hide a secret that is shown only once. Use --get.", help);
  }
  if (!/^[1-9]\d{0,4}$/.test(timeout)) {
    throw new UsageError("--timeout must be a whole number of seconds from 1 to 99999.", help);
  }
}

/** A mistyped field must fail before the change is made, because its response would not be shown. */
function checkField({ fields }: Command, path: string | undefined, help: string): void {
  const [name = ""] = path?.split(".") ?? [];
  if (fields === undefined || path === undefined || fields.includes(name)) return;
  const near = didYouMean(nearest(name, fields));
  throw new UsageError(`--get must be one of ${fields.join(", ")}, not ${name}.`, ...near, help);
}
