import {
  ApiError,
  ConnectionError,
  OutcomeUnknown,
  TimeoutError,
  UsageError,
} from "@ironlease/client";
import { ownEntry } from "@ironlease/command-line";
import { exitOfRefusal } from "#failures/exit-codes.ts";
import type { Failure } from "#failures/failure.ts";
import type { Io } from "#io.ts";
import { readCa, type Target } from "#profiles/choose.ts";
import { proxyFor } from "#proxy.ts";
import { resendLine, shellLine, withoutOptions } from "#shell-line.ts";
import { adviceOnCode, commandOfCheck, lostWithAnswer } from "./advice.ts";
import { authorityBeside, lookAtCertificate } from "./certificate.ts";

/** What the program was doing when it failed. */
export interface Situation {
  readonly argv: readonly string[];
  readonly io: Io;
  readonly target: Target | undefined;
  readonly isWithKey: boolean;
  /** Adds the options for the same service to a suggested command. */
  readonly suggest: (line: string) => string;
}

/** Describes an error of the client to a user at a command line. */
export async function describeError(error: unknown, situation: Situation): Promise<Failure> {
  if (error instanceof ApiError) return describeRefusal(error as ApiError<string>, situation);
  if (error instanceof OutcomeUnknown) return describeUnknown(error, situation);
  const { target } = situation;
  if (error instanceof ConnectionError && target !== undefined) {
    return describeConnection(error, { ...situation, target });
  }
  if (error instanceof UsageError) return { exit: "usage", code: "usage", message: error.message };
  return {
    exit: "failed",
    code: "unexpected",
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    advice: ["This is a bug. Please report it with these lines."],
  };
}

function describeRefusal(error: ApiError<string>, { isWithKey, suggest }: Situation): Failure {
  const { code, status, message, fields, requestId, idempotencyKey, retryAfterSeconds } = error;
  const known = ownEntry<readonly string[]>(adviceOnCode, code);
  const isBadKey = isWithKey && code === "authentication_required";
  return {
    exit: exitOfRefusal(code, status),
    code,
    message,
    fields,
    requestId,
    idempotencyKey,
    retryAfterSeconds,
    advice: isBadKey
      ? ["The key in IRONLEASE_API_KEY is unknown, revoked or expired."]
      : known?.map((line) => suggest(line.replace("KEY", idempotencyKey ?? "KEY"))),
  };
}

function describeUnknown(error: OutcomeUnknown, { argv, suggest }: Situation): Failure {
  const { operation, check, idempotencyKey: key } = error;
  const lost = ownEntry(lostWithAnswer, operation);
  const records = check === undefined ? undefined : ownEntry(commandOfCheck, check);
  const look = key === undefined ? records : `ironlease idempotency-key show ${key}`;
  const resend =
    key === undefined
      ? []
      : ["Retrying with the same key is safe, it cannot happen twice:", resendLine(argv, key)];
  return {
    exit: "unknown",
    code: "outcome_unknown",
    message: "The connection was lost. The change may or may not have happened.",
    idempotencyKey: key,
    advice: [
      ...resend,
      ...(look === undefined ? [] : ["To see what the service recorded:", suggest(look)]),
      ...(lost === undefined ? [] : [lost]),
    ],
  };
}

async function describeConnection(
  error: ConnectionError,
  { io, target, argv }: Situation & { readonly target: Target },
): Promise<Failure> {
  const { url, caFile, fingerprint256 } = target.profile;
  const isLate = error instanceof TimeoutError || isDead(error);
  // A service that does not respond presents no certificate either, and trying would take as long again.
  const proxy = proxyFor(url, io.env);
  const shown = isLate ? undefined : await lookAtCertificate(url, readCa(caFile), proxy);
  const seen = shown?.certificate.fingerprint256 ?? "";
  const isPinned = fingerprint256 !== undefined;
  const isOther = isPinned && seen !== fingerprint256;
  const isDoubted = shown?.doubt !== undefined && (!isPinned || caFile !== undefined);
  if (shown === undefined || (!isOther && !isDoubted)) {
    return {
      exit: "unreachable",
      code: isLate ? "timeout" : "connection_failed",
      message: `${url} ${isLate ? "did not respond in time" : "cannot be reached"}: ${reasonOf(error)}`,
      advice: [
        "Check the address and whether the service is running.",
        ...(proxy === undefined
          ? []
          : [`HTTPS_PROXY sends requests through ${new URL(proxy).host}: check it too.`]),
        "To use another address, add --url URL.",
        ...(error instanceof TimeoutError ? ["To wait longer, add --timeout SECONDS."] : []),
      ],
    };
  }
  const again = (option: string, value: string) =>
    shellLine([...withoutOptions(argv, ["--ca", "--fingerprint"]), option, value]);
  const beside = authorityBeside(shown.certificate, io);
  return {
    exit: "untrusted",
    code: "certificate_untrusted",
    message: isOther
      ? `${url} presents a different certificate than the trusted one. Nothing was sent.`
      : `The certificate of ${url} is not trusted (${shown.doubt}). Nothing was sent.`,
    advice: [
      ...(beside === undefined
        ? []
        : ["The preview in this folder signed it. To trust it:", again("--ca", beside)]),
      `Its SHA-256 fingerprint is ${seen}`,
      "If the operator of the service confirms this fingerprint (the preview prints it as Certificate), trust it:",
      again("--fingerprint", seen),
      "If not, stop: someone may be intercepting the connection.",
    ],
  };
}

function isDead(error: Error): boolean {
  const { code, cause } = error as NodeJS.ErrnoException;
  return code === "ETIMEDOUT" || (cause instanceof Error && isDead(cause));
}

/** The innermost cause is the most specific: "connect ECONNREFUSED 127.0.0.1:8443". */
function reasonOf(error: Error): string {
  let innermost: Error = error;
  for (let depth = 0; depth < 5 && innermost.cause instanceof Error; depth += 1) {
    innermost = innermost.cause;
  }
  const { message } = innermost;
  const code = (innermost as NodeJS.ErrnoException).code ?? "no reason given";
  return `${message === "" ? code : message}.`;
}
