import type { OperationRow } from "./api.ts";
import { UsageError } from "./errors.ts";

/** A request by method and path, for an operation that is newer than this client. */
export interface UndescribedRequest {
  readonly method: OperationRow["method"];
  /** A path of the service, with its query: `/api/v1/servers`. */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

/** Without a key a change is sent once: nothing says that it may be repeated. */
export function undescribedRow(
  { method, path, body }: UndescribedRequest,
  isKeyed: boolean,
): OperationRow {
  // Anything else, such as "//", could name another host.
  if (!/^\/(?!\/)[^\s\\#{}]*$/.test(path)) {
    throw new UsageError("path must be a path of the service, such as /api/v1/servers.", "request");
  }
  const ofChange = isKeyed ? "key" : "never";
  return {
    ...{ method, path, answers: {}, undescribed: true },
    resend: method === "GET" ? "free" : ofChange,
    ...(body !== undefined && method !== "GET" && { body: true }),
  };
}
