/**
 * An error's message with its causes: "PostgreSQL does not answer: connect ECONNREFUSED 127.0.0.1:5432" says more than
 * its first half.
 */
export function withCauses(error: unknown): string {
  const messages: string[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    // Of a host with several addresses, the first failure.
    const [first] = cause instanceof AggregateError ? (cause.errors as unknown[]) : [];
    const { message } = cause.message === "" && first instanceof Error ? first : cause;
    if (message !== "" && !messages.some((known) => repeats(known, message))) {
      messages.push(message);
    }
  }
  if (messages.length === 0) return String(error);
  return `${messages.join(": ")}${adviceFor(error)}`;
}

/** Whether a message says what its cause says. It may name the cause by its code only. */
function repeats(known: string, cause: string): boolean {
  const [, code] = /^(E[A-Z]+): /.exec(cause) ?? [];
  return known.includes(cause) || (code !== undefined && known.includes(`(${code})`));
}

function adviceFor(error: unknown): string {
  const isUnreachable = error instanceof Error && error.message === "PostgreSQL does not answer";
  return isUnreachable ? ". Check the server and IRONLEASE_DATABASE_URL." : "";
}
