import { nearest } from "@ironlease/command-line";
import { usageFailure } from "#failures/failure.ts";

export interface FoundOperation {
  readonly id: string;
  /** With parameters in braces. */
  readonly path: string;
  /** Parameters in the path and the query. */
  readonly fields: Readonly<Record<string, string>>;
  readonly takes: boolean;
  readonly takesBody: boolean;
  readonly isKeyed: boolean;
  /** It signs in or out, so it changes the saved session. */
  readonly keepsSession: boolean;
  /** Which client may call it. */
  readonly access: "anyone" | "reader" | "member";
}

/** A path that the contract does not describe, with similar operations. */
export interface UnknownOperation {
  readonly id: undefined;
  readonly path: string;
  readonly near: readonly string[];
}

/** A path or a whole URL of the service. Credentials must never reach another host. */
function readPath(given: string, serviceUrl: string): URL {
  const service = new URL(serviceUrl);
  const url = URL.canParse(given, service) ? new URL(given, service) : undefined;
  if (url === undefined || url.origin !== service.origin || url.username !== "") {
    throw usageFailure(
      `${given} is not a path of ${serviceUrl}.`,
      "Use a path such as /api/v1/servers. For another service, add --url URL.",
    );
  }
  return url;
}

/** Finds the operation with this method and path. */
export async function findOperation(
  method: string,
  given: string,
  serviceUrl: string,
): Promise<FoundOperation | UnknownOperation> {
  // Loading the contract takes longer than most commands, and only this one needs it.
  const { operations } = await import("@ironlease/contract");
  const account = Object.entries(operations).filter(([, { listener }]) => listener === "account");
  const at = (pathname: string) =>
    account.find(
      ([, operation]) => operation.method === method && patternOf(operation.path).test(pathname),
    );
  const whole = readPath(given, serviceUrl);
  const short = given.startsWith("/") ? whole : readPath(`/api/v1/${given}`, serviceUrl);
  const { pathname, search, searchParams } =
    at(whole.pathname) === undefined && at(short.pathname) !== undefined ? short : whole;
  const found = at(pathname);
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
    id,
    path,
    fields,
    takesBody,
    takes: takesBody || "query" in operation || path.includes("{"),
    isKeyed: idempotency !== "none",
    keepsSession: "cookies" in operation,
    // oxlint-disable-next-line eslint/no-nested-ternary -- three kinds of callers
    access: isOpen ? "anyone" : isForKeys ? "reader" : "member",
  };
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, "(?<$1>[\\w-]+)")}$`);
}
