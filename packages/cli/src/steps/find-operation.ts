import { nearest } from "@ironlease/command-line";
import { usageFailure } from "#failures/failure.ts";

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

/** Where a path leads that the contract does not describe, and which operations look like it. */
export interface UnknownOperation {
  readonly id: undefined;
  readonly path: string;
  readonly near: readonly string[];
}

/** A path of the service, or its whole address. Another host's is refused: nothing is sent there. */
function readPath(given: string, serviceUrl: string): URL {
  const service = new URL(serviceUrl);
  const url = URL.canParse(given, service) ? new URL(given, service) : undefined;
  if (url === undefined || url.origin !== service.origin || url.username !== "") {
    throw usageFailure(
      `${given} is not a path of ${serviceUrl}.`,
      "Give a path, such as /api/v1/servers. --url URL names another service.",
    );
  }
  return url;
}

/** The operation of the contract that a method and a path name. */
export async function findOperation(
  method: string,
  given: string,
  serviceUrl: string,
): Promise<FoundOperation | UnknownOperation> {
  // Loading the contract takes longer than most commands do, and only this one needs it.
  const { operations } = await import("@ironlease/contract");
  const { pathname, search, searchParams } = readPath(given, serviceUrl);
  const account = Object.entries(operations).filter(([, { listener }]) => listener === "account");
  const found = account.find(
    ([, operation]) => operation.method === method && patternOf(operation.path).test(pathname),
  );
  if (found === undefined) {
    const names = account.map(([, operation]) => `${operation.method} ${operation.path}`);
    const near = nearest(`${method} ${pathname}`, names);
    return { id: undefined, path: `${pathname}${search}`, near };
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
