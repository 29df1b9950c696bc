/** The exports that all entry points share. */
export type { Recorded } from "./api.ts";
export type { CallOptions, VersionedOptions, WriteOptions } from "./call.ts";
export { detailsOf } from "./caller.ts";
export type { ClientOptions } from "./client.ts";
export {
  ApiError,
  ConnectionError,
  IronleaseError,
  OutcomeUnknown,
  TimeoutError,
  UsageError,
  type FieldError,
} from "./errors.ts";
export type { ErrorCode } from "./generated/errors.ts";
export type { AnswerDetails } from "./read-answer.ts";
export { newIdempotencyKey } from "./request.ts";
export type { UndescribedRequest } from "./undescribed.ts";
export type { SavedSession, SessionAccess } from "./session.ts";
export type { Clock, Fetch, WireAnswer, WireRequest } from "./wire.ts";
