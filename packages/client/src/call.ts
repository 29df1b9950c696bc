import type { OperationRow } from "./api.ts";
import type { Composed } from "./request.ts";
import type { SignIn } from "./session.ts";

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long one sending may take. */
  readonly timeoutMs?: number | undefined;
  /** How long the whole call may take, however often it sends. */
  readonly deadlineMs?: number | undefined;
}

export interface VersionedOptions extends CallOptions {
  /** The etag of what the change was made from: `detailsOf(answer)` has it. */
  readonly ifMatch?: string | undefined;
}

export interface WriteOptions extends CallOptions {
  /** One key per intent. Left out, the call makes one. */
  readonly idempotencyKey?: string | undefined;
  /** True when this very write may have been sent before, with this key. */
  readonly resend?: boolean | undefined;
}

/** Whatever a call may be given. */
export type AnyOptions = WriteOptions & VersionedOptions;

export type Fields = Readonly<Record<string, unknown>>;

/** One call of a method, from its first sending to its outcome. */
export interface Call {
  readonly id: string;
  readonly row: OperationRow;
  readonly fields: Fields;
  readonly composed: Composed;
  /** Equal for calls that ask for the same thing in the same account. */
  readonly intent: string;
  readonly key: string | undefined;
  readonly isOwnKey: boolean;
  readonly signIn: SignIn;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly ifMatch: string | undefined;
  /** When it was sent first, by this call or one before it; minus infinity when nobody knows. */
  readonly startedAt: number;
  readonly deadlineAt: number;
  /** An earlier copy may have been carried out without our hearing of it. */
  isLost: boolean;
  /** The token was asked for anew; once is enough. */
  isRefreshed: boolean;
}
