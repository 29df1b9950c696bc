import type { OperationRow } from "./api.ts";
import { UsageError } from "./errors.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface Composed {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly body?: string;
}

/** Puts the fields where they belong: path, query of a read, body of a change. */
export function compose(id: string, row: OperationRow, fields: Fields): Composed {
  const rest = new Map(Object.entries(fields));
  const path = row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    // Anything else, such as "..", could make it another operation's address.
    if (typeof value !== "string" || !/^[\w-]+$/.test(value)) {
      throw new UsageError(`${name} must be an identifier that the service gave.`, id);
    }
    return value;
  });
  const { method } = row;
  if (method !== "GET") {
    return row.body
      ? { method, path, body: JSON.stringify(Object.fromEntries(rest)) }
      : { method, path };
  }
  const query = new URLSearchParams();
  for (const [name, value] of rest) {
    if (value !== undefined) query.append(name, `${value as string | number}`);
  }
  const text = query.toString();
  return { method, path: text === "" ? path : `${path}?${text}` };
}

/** Credentials go over HTTPS only, or stay on this machine. */
export function readBaseUrl(given: string | URL | undefined, page: string | undefined): URL {
  if (given === undefined && page === undefined) throw new UsageError("Give a baseUrl.");
  const url = new URL(given ?? "/", page);
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLocal)) {
    throw new UsageError("The baseUrl must start with https://.");
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new UsageError("The baseUrl takes no credentials, query or fragment.");
  }
  if (page !== undefined && url.origin !== new URL(page).origin) {
    throw new UsageError("A page can call only the service that it came from.");
  }
  return url;
}

const keySyntax = /^[\w-]{8,100}$/;

export function readKey(id: string, given: string): string {
  if (keySyntax.test(given)) return given;
  throw new UsageError(
    "An idempotencyKey is 8 to 100 letters, digits, hyphens or underscores.",
    id,
  );
}

/** A key for one intent. Keep it with the intent when that may outlive the process. */
export function newIdempotencyKey(): string {
  return crypto.randomUUID();
}
