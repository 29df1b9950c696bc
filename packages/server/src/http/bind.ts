import type {
  AnswerOf,
  BodyOf,
  Operation,
  OperationId,
  Operations,
  ParametersOf,
  QueryOf,
  Scope,
} from "@ironlease/contract";
import type {
  OperatorSession,
  OperatorSessionCall,
} from "#features/operators/authenticate-operator.ts";
import type { AccountSession } from "#features/sessions/authenticate-session.ts";
import type { CustomerCall, Keyed, OperatorCall } from "#kernel/call.ts";
import type { Client, Core } from "#kernel/core.ts";
import type { Result } from "#ports/result.ts";
import type { RelyingParty } from "#ports/webauthn.ts";

/**
 * A request that has passed the whole precedence list, with everything that any operation may need. Which of
 * the optional fields are set depends on the operation; `Call` says so.
 */
export interface AnyCall {
  /** Every write through it checks the caller's access again, inside its transaction. */
  readonly core: Core;
  readonly client: Client;
  readonly parameters: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  /** The session cookie that came with the request, verified or not. */
  readonly presentedSessionToken: string | undefined;
  /** The site of the request, for passkeys. */
  readonly relyingParty: RelyingParty;
  readonly account?: Account | undefined;
  readonly session?: AccountSession | undefined;
  readonly operator?: OperatorSession | undefined;
  readonly csrfToken?: string;
  readonly ifMatch?: string | undefined;
  readonly accept: string | undefined;
  readonly caller?: CustomerCall | OperatorSessionCall | undefined;
}

/** A call as the handler of one operation sees it. */
export type Call<O extends Operation> = Pick<
  AnyCall,
  "core" | "client" | "accept" | "presentedSessionToken" | "relyingParty"
> & {
  readonly parameters: ParametersOf<O>;
  readonly query: QueryOf<O>;
  readonly body: BodyOf<O>;
} & CallerOf<O> &
  VersionOf<O>;

/** The caller's account, and the version of its lists when it was looked up. */
export interface Account {
  readonly accountId: string;
  readonly username: string;
  readonly listsVersion: string;
  /** The scope of the caller's API key; absent for sessions. */
  readonly scope?: Scope;
}

/** The caller: a session, or only an account where an API key with the right scope may call as well. */
type CallerOf<O extends Operation> = O["access"] extends { readonly kind: "session" }
  ? {
      readonly account: Account;
      readonly caller: WithKey<O, CustomerCall>;
    } & (O["access"]["scopes"] extends readonly []
      ? { readonly session: AccountSession; readonly csrfToken: string }
      : unknown)
  : O["access"] extends { readonly kind: "operator" }
    ? {
        readonly operator: OperatorSession;
        readonly caller: WithKey<O, OperatorSessionCall>;
        readonly csrfToken: string;
      }
    : unknown;

/** The `if-match` header: the document version on which the caller bases the change. */
type VersionOf<O extends Operation> = O extends { readonly versioned: true }
  ? { readonly ifMatch: string | undefined }
  : unknown;

/** The caller, with the idempotency key where the operation needs one. */
type WithKey<
  O extends Operation,
  C extends CustomerCall | OperatorCall,
> = O["idempotency"] extends "none" ? C : Keyed<C>;

/** Parts of an answer that are sent as headers. */
interface AnswerHeaders {
  readonly cookies?: readonly string[];
  /** The idempotency key was used before, so the status and body are those of the first answer. */
  readonly replayed?: boolean;
  /** The version of a document, for `if-match`. */
  readonly etag?: string;
}

/** A body that is sent while it is read. */
export interface Streamed {
  readonly contentType: string;
  readonly chunks: AsyncIterable<string>;
  /** The name under which a browser saves it. */
  readonly fileName?: string;
}

export type Answer<O extends Operation> = (O extends { readonly streamed: readonly string[] }
  ? { readonly status: 200 } & Streamed
  : AnswerOf<O>) &
  AnswerHeaders;

export type Handler<O extends Operation> = (call: Call<O>) => Promise<Result<Answer<O>>>;

/** The answer of any operation. */
export interface BoundAnswer extends AnswerHeaders, Partial<Streamed> {
  readonly status: number;
  readonly body?: unknown;
}

/**
 * The handler of any operation. Declared as a method, so that TypeScript accepts a `Handler`, which takes
 * a narrower call: the precedence list has checked that the call fits its operation.
 */
export type BoundHandler = { handle(call: AnyCall): Promise<Result<BoundAnswer>> }["handle"];

/** One handler for each of the named operations. */
export type Handlers<Id extends OperationId = OperationId> = {
  readonly [Name in Id]: Handler<Operations[Name]>;
};

/** Throws if an operation has no handler or a handler has no operation. */
export function assertHandlersMatch(
  described: Readonly<Record<string, Operation>>,
  bound: Readonly<Record<string, unknown>>,
): void {
  const unbound = Object.keys(described).filter((id) => !(id in bound));
  const undescribed = Object.keys(bound).filter((id) => !(id in described));
  if (unbound.length > 0) throw new Error(`operations without a handler: ${unbound.join(", ")}`);
  if (undescribed.length > 0) {
    throw new Error(`handlers without an operation: ${undescribed.join(", ")}`);
  }
}
