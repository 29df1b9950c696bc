import { usageFailure } from "../failures/failure.ts";
import { nearest } from "../command-line/suggest.ts";
import { meant } from "../command-line/parse.ts";

export interface FoundOperation {
  readonly id: string;
  /** With parameters in braces. */
  readonly path: string;
  /** What the path and its query say. */
  readonly fields: Readonly<Record<string, string>>;
  readonly takes: boolean;
  readonly takesBody: boolean;
  readonly isKeyed: boolean;
  /** It signs in or out. */
  readonly keepsSession: boolean;
  /** As whom it is called. */
  readonly access: "anyone" | "reader" | "member";
}

/** The operation of the contract that a method and a path name. */
export async function findOperation(method: string, given: string): Promise<FoundOperation> {
  // Loading the contract takes longer than most commands do, and only this one needs it.
  const { operations } = await import("@ironlease/contract");
  const { pathname, searchParams } = new URL(given, "https://service.invalid");
  const account = Object.entries(operations).filter(([, { listener }]) => listener === "account");
  const found = account.find(
    ([, operation]) => operation.method === method && patternOf(operation.path).test(pathname),
  );
  if (found === undefined) {
    const names = account.map(([, operation]) => `${operation.method} ${operation.path}`);
    const near = nearest(`${method} ${pathname}`, names);
    throw usageFailure(`The service has no ${method} ${pathname}.`, ...meant(near));
  }
  const [id, operation] = found;
  const { path, access, idempotency } = operation;
  const fields = {
    ...Object.fromEntries(searchParams),
    ...patternOf(path).exec(pathname)?.groups,
  };
  const takesBody = "body" in operation;
  const isOpen = access.kind === "public";
  const isForKeys = access.kind === "session" && access.scopes.length > 0;
  return {
    ...{ id, path, fields, takesBody },
    takes: takesBody || "query" in operation || path.includes("{"),
    isKeyed: idempotency !== "none",
    keepsSession: "cookies" in operation,
    // oxlint-disable-next-line eslint/no-nested-ternary -- three words for three kinds of caller
    access: isOpen ? "anyone" : isForKeys ? "reader" : "member",
  };
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, "(?<$1>[\\w-]+)")}$`);
}
