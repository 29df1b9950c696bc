import type {
  AnswerOf,
  BodyOf,
  Operation,
  OperationId,
  Operations,
  ParametersOf,
  QueryOf,
} from "@ironlease/contract";
import type { OperatorSession } from "#features/operators/authenticate-operator.ts";
import type { AccountSession } from "#features/sessions/authenticate-session.ts";
import type { Intent } from "#kernel/idempotency.ts";
import type { Client, Core } from "#kernel/core.ts";
import type { Result } from "#ports/result.ts";

/** What a handler is given: a request that has passed the whole precedence list. */
export type Call<O extends Operation> = {
  /** Every write through it checks the caller's access again, inside its transaction. */
  readonly core: Core;
  readonly client: Client;
  readonly parameters: ParametersOf<O>;
  readonly query: QueryOf<O>;
  readonly body: BodyOf<O>;
  /** The session cookie that came with the request, verified or not. */
  readonly presentedSessionToken: string | undefined;
} & CallerOf<O> &
  VersionOf<O> &
  IntentOf<O>;

/** Whose account it is about, and in which state it was found. */
export interface Account {
  readonly accountId: string;
  readonly username: string;
  readonly listsVersion: string;
}

/** Who asks. Where no key scope reaches, it is a session; where one does, it is only an account. */
type CallerOf<O extends Operation> = O["access"] extends { readonly kind: "session" }
  ? {
      readonly account: Account;
    } & (O["access"]["scopes"] extends readonly []
      ? { readonly session: AccountSession; readonly csrfToken: string }
      : unknown)
  : O["access"] extends { readonly kind: "operator" }
    ? { readonly operator: OperatorSession; readonly csrfToken: string }
    : unknown;

/** Which version of a document a change was made from, as its sender says. */
type VersionOf<O extends Operation> = O extends { readonly versioned: true }
  ? { readonly ifMatch: string | undefined }
  : unknown;

/** The key of a write that must happen once. */
type IntentOf<O extends Operation> = O["idempotency"] extends "none"
  ? unknown
  : { readonly intent: Intent };

/** A described answer, with the cookies that go along. */
export type Answer<O extends Operation> = AnswerOf<O> & {
  readonly cookies?: readonly string[];
  /** It was given before: the same status and body, and a header that says so. */
  readonly replayed?: boolean;
  /** The version of a document, as `if-match` wants it. */
  readonly etag?: string;
  /** The same object may be answered again: its text is worth keeping. */
  readonly isKept?: boolean;
};

export type Handler<O extends Operation> = (call: Call<O>) => Promise<Result<Answer<O>>>;

/** One handler for each of the named operations. */
export type Handlers<Id extends OperationId = OperationId> = {
  readonly [Name in Id]: Handler<Operations[Name]>;
};

/** Described and not bound, or bound and not described: either is a mistake that must not start. */
export function refuseMismatch(
  described: Readonly<Record<string, Operation>>,
  bound: Readonly<Record<string, unknown>>,
): void {
  const unbound = Object.keys(described).filter((id) => !(id in bound));
  const undescribed = Object.keys(bound).filter((id) => !(id in described));
  if (unbound.length > 0) throw new Error(`operations without a handler: ${unbound.join(", ")}`);
  if (undescribed.length > 0) {
    throw new Error(`handlers without a description: ${undescribed.join(", ")}`);
  }
}
