import type { OperationRow } from "./api.ts";
import { UsageError } from "./errors.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface Composed {
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  readonly body?: string;
}

/** Distributes the fields to the path, the query of a read or the body of a change. */
export function compose(id: string, row: OperationRow, fields: Fields): Composed {
  const rest = new Map(Object.entries(fields));
  const path = row.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name);
    rest.delete(name);
    // Other values, such as "..", could address another operation.
    if (typeof value !== "string" || !/^[\w-]+$/.test(value)) {
      throw new UsageError(`${name} must be an id from the service.`, id);
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

/** Credentials are sent over HTTPS or to this machine only. */
export function readBaseUrl(given: string | URL | undefined, page: string | undefined): URL {
  if (given === undefined && page === undefined) throw new UsageError("baseUrl is required.");
  const url = new URL(given ?? "/", page);
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLocal)) {
    throw new UsageError("baseUrl must start with https://.");
  }
  if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") {
    throw new UsageError("baseUrl must not contain credentials, a query or a fragment.");
  }
  if (page !== undefined && url.origin !== new URL(page).origin) {
    throw new UsageError("baseUrl must have the same origin as the page.");
  }
  return url;
}

const keySyntax = /^[\w-]{8,100}$/;

export function readKey(id: string, given: string): string {
  if (keySyntax.test(given)) return given;
  throw new UsageError(
    "idempotencyKey must be 8 to 100 letters, digits, hyphens or underscores.",
    id,
  );
}

/** Generates a key for one intent. Store it with the intent if the intent may outlive the process. */
export function newIdempotencyKey(): string {
  return crypto.randomUUID();
}
