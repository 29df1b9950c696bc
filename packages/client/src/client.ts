import type { Api, OperationTypes, Scope } from "./api.ts";
import type { AnyOptions, CallOptions, Fields, VersionedOptions, WriteOptions } from "./call.ts";
import { Caller, type Setup } from "./caller.ts";
import { keyCredentials, sessionCredentials } from "./credentials.ts";
import { UsageError } from "./errors.ts";
import { defaults, type RetryPolicy } from "./retry-policy.ts";
import { readBaseUrl } from "./request.ts";
import { SessionKeeper, type SessionAccess } from "./session.ts";
import type { UndescribedRequest } from "./undescribed.ts";
import { systemClock, type Clock, type Fetch } from "./wire.ts";

export interface ClientOptions {
  /** The URL of the service. Optional on the service's own pages. */
  readonly baseUrl?: string | URL | undefined;
  /** Sends requests. In Node, use `createNodeFetch` from `@ironlease/client/node` to trust a CA or a fingerprint. */
  readonly fetch?: Fetch | undefined;
  /**
   * Maximum number of attempts per call. By default, four, and for writes with an idempotency key as many as the
   * deadline allows.
   */
  readonly attempts?: number | undefined;
  /** Time limit of one attempt. */
  readonly timeoutMs?: number | undefined;
  /** Time limit of one call, with all attempts. */
  readonly deadlineMs?: number | undefined;
  /** The name of this program in the list of sessions. Browsers set their own. */
  readonly userAgent?: string | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

type OptionsOf<O extends OperationTypes> = CallOptions &
  (O["keyed"] extends true ? WriteOptions : unknown) &
  (O["versioned"] extends true ? VersionedOptions : unknown);

/** The request is optional if all of its fields are. */
type Method<O extends OperationTypes> = O["request"] extends object
  ? Partial<O["request"]> extends O["request"]
    ? (request?: O["request"], options?: OptionsOf<O>) => Promise<O["answer"]>
    : (request: O["request"], options?: OptionsOf<O>) => Promise<O["answer"]>
  : (options?: OptionsOf<O>) => Promise<O["answer"]>;

export type SessionMethods<Operations> = {
  readonly [Id in keyof Operations]: Operations[Id] extends OperationTypes
    ? Method<Operations[Id]>
    : never;
};

type WithScope<Operations, Allowed extends Scope> = {
  [Id in keyof Operations]: Operations[Id] extends OperationTypes
    ? [Operations[Id]["scopes"] & Allowed] extends [never]
      ? never
      : Id
    : never;
}[keyof Operations];

/** The operations that an API key of this scope may call. */
export type KeyMethods<Operations, Allowed extends Scope> = SessionMethods<
  Pick<Operations, WithScope<Operations, Allowed>>
>;

export interface UndescribedMethod {
  /** Sends a request that this client has no method for, and returns the response unchecked. */
  request(request: UndescribedRequest, options?: WriteOptions): Promise<unknown>;
}

/** A client that signs in and can call every operation. */
export function sessionClient<Operations>(
  api: Api,
  options: ClientOptions,
  findRecorded: Setup["findRecorded"] = {},
  page = pageUrl(),
): SessionMethods<Operations> & UndescribedMethod & { readonly session: SessionAccess } {
  const baseUrl = readBaseUrl(options.baseUrl, page);
  const keeper = new SessionKeeper(api, baseUrl.origin, page === undefined);
  const setup = { ...common(api, baseUrl, options), keeper, credentials: sessionCredentials };
  const caller = new Caller({ ...setup, findRecorded });
  const session: SessionAccess = {
    export: () => keeper.export(),
    import: (saved) => keeper.import(saved),
  };
  const request: UndescribedMethod["request"] = async (wanted, how) =>
    caller.callUndescribed(wanted, how);
  return { ...methodsOf<Operations>(api, caller, () => undefined), request, session };
}

/** A read-only client with an API key. */
export function keyClient<Operations, Allowed extends Scope>(
  api: Api,
  options: ClientOptions & { readonly apiKey: string; readonly scope?: Allowed | undefined },
): KeyMethods<Operations, Allowed> & UndescribedMethod {
  const { apiKey, scope } = options;
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new UsageError("apiKey is not a valid API key.");
  const baseUrl = readBaseUrl(options.baseUrl, pageUrl());
  // Key clients never sign in, so this stays empty.
  const keeper = new SessionKeeper(api, baseUrl.origin, true);
  const setup = { ...common(api, baseUrl, options), keeper, credentials: keyCredentials(apiKey) };
  const caller = new Caller({ ...setup, findRecorded: {} });
  const onlyReads = "API keys are read-only. Sign in to make changes.";
  const request: UndescribedMethod["request"] = async (wanted, how) => {
    if (wanted.method !== "GET") throw new UsageError(onlyReads, "request");
    return caller.callUndescribed(wanted, how);
  };
  const methods: KeyMethods<Operations, Allowed> = methodsOf(api, caller, (id) => {
    const { method, scopes = [] } = api.operations[id] ?? {};
    if (method !== "GET") return onlyReads;
    const isCovered = scope === undefined ? scopes.length > 0 : scopes.includes(scope);
    return isCovered ? undefined : "The scope of this API key does not allow this operation.";
  });
  return { ...methods, request };
}

function common(api: Api, baseUrl: URL, options: ClientOptions) {
  const retryPolicy: RetryPolicy = {
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    attempts: options.attempts ?? defaults.attempts,
    keyedAttempts: options.attempts ?? defaults.keyedAttempts,
    timeoutMs: options.timeoutMs ?? defaults.timeoutMs,
    deadlineMs: options.deadlineMs ?? defaults.deadlineMs,
  };
  // The browser's fetch throws if it is called as a method of another object.
  const fetch: Fetch = options.fetch ?? ((url, init) => globalThis.fetch(url, init));
  return { api, baseUrl, fetch, retryPolicy, userAgent: options.userAgent };
}

/** Creates one method per operation. `refusalOf` returns why an operation is not allowed. */
function methodsOf<Operations>(
  api: Api,
  caller: Caller,
  refusalOf: (id: string) => string | undefined,
): SessionMethods<Operations> {
  const methods = Object.entries(api.operations).map(([id, { takes }]) => {
    const call = async (fields: Fields = {}, options?: AnyOptions) => {
      const refusal = refusalOf(id);
      if (refusal !== undefined) throw new UsageError(refusal, id);
      return caller.call(id, fields, options);
    };
    return [id, takes ? call : (options?: AnyOptions) => call({}, options)];
  });
  return Object.fromEntries(methods) as SessionMethods<Operations>;
}

/** The URL of the page, or undefined outside a browser. */
function pageUrl(): string | undefined {
  const { process, location } = globalThis as {
    process?: { versions?: { node?: string } };
    location?: { href: string };
  };
  return process?.versions?.node === undefined ? location?.href : undefined;
}
