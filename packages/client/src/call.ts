import type { OperationRow } from "./api.ts";
import type { Composed } from "./request.ts";
import type { SignIn } from "./session.ts";

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Time limit of one attempt. */
  readonly timeoutMs?: number | undefined;
  /** Time limit of the whole call, with all attempts. */
  readonly deadlineMs?: number | undefined;
}

export interface VersionedOptions extends CallOptions {
  /** The etag of the version that was edited, from `detailsOf(answer)`. */
  readonly ifMatch?: string | undefined;
}

export interface WriteOptions extends CallOptions {
  /** One key per intent. The client generates one if omitted. */
  readonly idempotencyKey?: string | undefined;
  /** True if this write may already have been sent with this key. */
  readonly resend?: boolean | undefined;
}

export type AnyOptions = WriteOptions & VersionedOptions;

export type Fields = Readonly<Record<string, unknown>>;

/** One method call, from the first attempt to the outcome. */
export interface Call {
  readonly id: string;
  readonly row: OperationRow;
  readonly fields: Fields;
  readonly composed: Composed;
  /** Equal for identical requests of the same account. */
  readonly intent: string;
  readonly key: string | undefined;
  readonly isOwnKey: boolean;
  readonly signIn: SignIn;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly ifMatch: string | undefined;
  /** When it was first sent, by this call or an earlier one; minus infinity if unknown. */
  readonly startedAt: number;
  readonly deadlineAt: number;
  /** An earlier copy may have taken effect although its response was lost. */
  isLost: boolean;
  /** The CSRF token has been refreshed. This happens at most once per call. */
  isRefreshed: boolean;
}
