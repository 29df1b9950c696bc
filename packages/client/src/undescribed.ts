import type { OperationRow } from "./api.ts";
import { UsageError } from "./errors.ts";

/** A request by method and path, for operations that are newer than this client. */
export interface UndescribedRequest {
  readonly method: OperationRow["method"];
  /** A path with its query: `/api/v1/servers`. */
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>> | undefined;
}

/** A change without a key is sent only once, because a retry may not be safe. */
export function undescribedRow(
  { method, path, body }: UndescribedRequest,
  isKeyed: boolean,
): OperationRow {
  // Other values, such as "//", could name another host.
  if (!/^\/(?!\/)[^\s\\#{}]*$/.test(path)) {
    throw new UsageError("path must be a path of the service, such as /api/v1/servers.", "request");
  }
  const ofChange = isKeyed ? "key" : "never";
  return {
    method,
    path,
    answers: {},
    undescribed: true,
    resend: method === "GET" ? "free" : ofChange,
    ...(body !== undefined && method !== "GET" && { body: true }),
  };
}
