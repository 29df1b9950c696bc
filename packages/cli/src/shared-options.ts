import type { Options, OptionValues } from "../../command-line/src/option.ts";

/** Every command takes these. */
export const globalOptions = {
  json: { meaning: "Print JSON, for programs. Errors are JSON on standard error, too." },
  get: {
    value: "FIELD",
    meaning: "Print that field of the JSON alone: id, or servers.0.id for one in a list.",
  },
  profile: { value: "NAME", meaning: "Use this saved profile." },
  url: {
    value: "URL",
    meaning: "Where the service is. Else IRONLEASE_URL, else the profile's.",
  },
  ca: { value: "FILE", meaning: "Trust certificates of this authority, a file in PEM." },
  fingerprint: {
    value: "SHA256",
    meaning: "Trust the certificate with this SHA-256 fingerprint and no other.",
  },
  timeout: {
    value: "SECONDS",
    fallback: "15",
    meaning: "Wait at most so long for one answer of the service, resends included.",
  },
  help: { short: "h", meaning: "Explain the command." },
} as const satisfies Options;

export const askOption = {
  yes: { short: "y", meaning: "Do not ask. Needed where there is no terminal to ask on." },
} as const satisfies Options;

export const keyOptions = {
  "idempotency-key": {
    value: "KEY",
    meaning:
      "Send with this key instead of a new one: 8 to 100 letters, digits, hyphens or underscores. " +
      "The same request with the same key happens once.",
  },
  resend: {
    meaning: "Say that this very request may have been sent before, with the key that is given.",
  },
} as const satisfies Options;

export const secretOption = {
  "password-stdin": { meaning: "Read from standard input what would be asked for, a line each." },
} as const satisfies Options;

/** What the shared options were set to; those that a command does not have are not. */
export type SharedValues = OptionValues<typeof globalOptions> &
  Partial<OptionValues<typeof askOption & typeof keyOptions & typeof secretOption>>;
