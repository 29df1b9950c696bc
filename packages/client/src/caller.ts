import type { Api, OperationRow, Recorded } from "./api.ts";
import type { AnyOptions, Call, Fields } from "./call.ts";
import { ApiError, OutcomeUnknown, type ConnectionError } from "./errors.ts";
import { Cooldowns } from "./cooldowns.ts";
import { OpenIntents } from "./intents.ts";
import { judge, mayHaveHappened } from "./judge.ts";
import { RetryBudget, backoffMs } from "./retry-policy.ts";
import type { AnswerDetails } from "./read-answer.ts";
import { compose, newIdempotencyKey, readKey } from "./request.ts";
import { undescribedRow, type UndescribedRequest } from "./undescribed.ts";
import { send, type Sender } from "./send.ts";
import type { SignIn } from "./session.ts";

export interface Found {
  /** False when the key was certainly used for another write. */
  readonly isPossible: boolean;
  readonly id: string | null;
}

/** Finds what a used key was used for. */
export type FindRecorded = (
  read: (id: string, fields: Fields) => Promise<unknown>,
  fields: Fields,
  key: string,
) => Promise<Found>;

export interface Setup extends Sender {
  readonly api: Api;
  readonly findRecorded: Readonly<Record<string, FindRecorded>>;
}

const details = new WeakMap<object, AnswerDetails>();

/** The metadata of a response: request id, etag and whether it is a replay. */
export function detailsOf(answer: object): AnswerDetails | undefined {
  return details.get(answer);
}

/** Calls operations: sends requests, judges the results and retries where that is safe. */
export class Caller {
  readonly #setup: Setup;
  readonly #intents = new OpenIntents();
  readonly #cooldowns: Cooldowns;
  readonly #budget = new RetryBudget();

  constructor(setup: Setup) {
    this.#setup = setup;
    this.#cooldowns = new Cooldowns(setup.retryPolicy.clock);
  }

  call(id: string, fields: Fields, options: AnyOptions = {}): Promise<unknown> {
    return this.#call(id, this.#rowOf(id), fields, options);
  }

  /** Calls an operation that is not in the contract of this client. */
  callUndescribed(request: UndescribedRequest, options: AnyOptions = {}): Promise<unknown> {
    const row = undescribedRow(request, options.idempotencyKey !== undefined);
    return this.#call("request", row, request.body ?? {}, options);
  }

  #rowOf(id: string): OperationRow {
    return this.#setup.api.operations[id] as OperationRow;
  }

  async #call(
    id: string,
    row: OperationRow,
    fields: Fields,
    options: AnyOptions,
  ): Promise<unknown> {
    const { api, keeper } = this.#setup;
    if (row.cookies === "set") keeper.signingIn();
    const signIn = keeper.current;
    // After a reload the browser still has the cookies, but the page has neither the CSRF token nor the
    // username, which separates the open writes of different accounts.
    const needsToken = row.method !== "GET" && !row.open && !keeper.hasJar;
    if (needsToken && signIn.token === undefined) {
      await this.#refresh(this.#begin(id, row, fields, options, signIn));
    }
    const answer = await this.#run(this.#begin(id, row, fields, options, signIn));
    if (id === api.me) keeper.learn(signIn, answer);
    return answer;
  }

  #begin(id: string, row: OperationRow, fields: Fields, options: AnyOptions, signIn: SignIn): Call {
    const { retryPolicy } = this.#setup;
    const { idempotencyKey: given, ifMatch } = options;
    const isKeyed = row.resend === "key";
    const composed = compose(id, row, fields);
    const intent = JSON.stringify([id, signIn.username, composed]);
    const remembered = isKeyed ? this.#intents.find(intent) : undefined;
    const open = given === undefined || given === remembered?.key ? remembered : undefined;
    const isResend = isKeyed && options.resend === true;
    const now = retryPolicy.clock.now();
    return {
      id,
      row,
      fields,
      composed,
      intent,
      ifMatch,
      signIn,
      key: isKeyed ? readKey(id, given ?? open?.key ?? newIdempotencyKey()) : undefined,
      isOwnKey: open?.isOwnKey ?? given === undefined,
      signal: options.signal ?? new AbortController().signal,
      timeoutMs: options.timeoutMs ?? retryPolicy.timeoutMs,
      startedAt: isResend ? Number.NEGATIVE_INFINITY : (open?.startedAt ?? now),
      deadlineAt: now + (options.deadlineMs ?? retryPolicy.deadlineMs),
      isLost: isResend || open !== undefined,
      isRefreshed: false,
    };
  }

  async #run(call: Call): Promise<unknown> {
    const { row } = call;
    const cooldown = cooldownOf(call);
    const waiting = this.#cooldowns.find(cooldown);
    if (waiting !== undefined) await this.#pause(call, 1, waiting, waiting.retryAfterSeconds);
    for (let sends = 1; ; sends += 1) {
      const sent = await send(this.#setup, call);
      if (sent.kind === "aborted") {
        call.isLost ||= sent.isSent && row.resend !== "free";
        throw this.#ended(call, sent.reason);
      }
      if (sent.kind === "answered") return this.#settle(call, sent.body, sent.details);
      const { error } = sent;
      if (error instanceof ApiError) {
        if (error.code === "csrf_failed" && (await this.#hasNewToken(call))) continue;
        if (error.code === "rate_limited") this.#cooldowns.start(cooldown, error);
      }
      const verdict = judge(row, sent, call);
      call.isLost ||= mayHaveHappened(row, sent);
      if (verdict === "done before") return this.#settle(call, undefined);
      if (verdict === "recorded") {
        const recorded = await this.#recorded(call);
        if (recorded === undefined) throw this.#refused(call, error);
        return this.#settle(call, recorded);
      }
      if (verdict === "refused") throw this.#refused(call, error);
      if (verdict === "unknown" || !this.#mayResend(call, sends)) throw this.#ended(call, error);
      const asked = sent.kind === "refused" ? sent.error : sent;
      await this.#pause(call, sends, error, asked.retryAfterSeconds);
    }
  }

  /**
   * A keyed write that may have taken effect is sent until its outcome is known. Other writes may use all their
   * attempts. Reads share a retry budget.
   */
  #mayResend({ row, isLost }: Call, sends: number): boolean {
    const { attempts, keyedAttempts } = this.#setup.retryPolicy;
    if (row.resend === "key" && isLost) return sends < keyedAttempts;
    return sends < attempts && (row.resend !== "free" || this.#budget.spend());
  }

  #settle(call: Call, answer: unknown, said?: AnswerDetails): unknown {
    this.#budget.earn();
    if (call.key !== undefined) this.#intents.forget(call.intent, call.key);
    if (call.row.cookies === "clear") this.#setup.keeper.signedOut(call.signIn);
    if (said !== undefined && typeof answer === "object" && answer !== null) {
      details.set(answer, said);
    }
    return answer;
  }

  /**
   * A lost copy could still arrive after this refusal, so the same write reuses its key when called
   * again, unless the key belongs to another request.
   */
  #refused(call: Call, error: ApiError<string> | ConnectionError): Error {
    if (call.isLost) this.#remember(call);
    if (error instanceof ApiError && error.code === "idempotency_conflict") {
      this.#intents.forget(call.intent, call.key ?? "");
    }
    return error;
  }

  /** Gives up. If a copy may have arrived the outcome is unknown; otherwise the last error is the outcome. */
  #ended(call: Call, cause: unknown): unknown {
    if (!call.isLost) return cause;
    this.#remember(call);
    return new OutcomeUnknown({ ...call, check: call.row.check }, cause);
  }

  #remember({ key, intent, startedAt, isOwnKey }: Call): void {
    if (key !== undefined) this.#intents.remember(intent, { key, startedAt, isOwnKey });
  }

  async #pause(call: Call, sends: number, error: Error, asked: number | undefined): Promise<void> {
    const { clock, random } = this.#setup.retryPolicy;
    const waitMs = backoffMs(sends, asked, random);
    if (clock.now() + waitMs >= call.deadlineAt) throw this.#ended(call, error);
    try {
      await clock.wait(waitMs, call.signal);
    } catch (reason) {
      throw this.#ended(call, reason);
    }
  }

  /** Fetches the CSRF token again. False if another user has signed in since. */
  async #refresh(call: Call): Promise<boolean> {
    const { signIn } = call;
    const { username, csrfToken } = (await this.#read(this.#setup.api.me, call)) as {
      username: string;
      csrfToken: string;
    };
    if (signIn.username !== undefined && signIn.username !== username) return false;
    signIn.username = username;
    signIn.token = csrfToken;
    return true;
  }

  async #hasNewToken(call: Call): Promise<boolean> {
    if (call.isRefreshed) return false;
    call.isRefreshed = true;
    try {
      return await this.#refresh(call);
    } catch {
      // The original refusal is more useful than this failure.
      return false;
    }
  }

  #read(id: string, { signal, signIn, deadlineAt }: Call, fields: Fields = {}): Promise<unknown> {
    const { clock, timeoutMs } = this.#setup.retryPolicy;
    const deadlineMs = Math.max(timeoutMs, deadlineAt - clock.now());
    return this.#run(this.#begin(id, this.#rowOf(id), fields, { signal, deadlineMs }, signIn));
  }

  /**
   * What the key was used for. A generated key can only belong to this write. A key from the caller may
   * belong to another write: undefined if it certainly does.
   */
  async #recorded(call: Call): Promise<Recorded | undefined> {
    const { isOwnKey: isVerified, key = "" } = call;
    const find = this.#setup.findRecorded[call.id];
    // A failed read of the records proves nothing.
    const unclear: Found = { isPossible: true, id: null };
    const looked = find?.((id, fields) => this.#read(id, call, fields), call.fields, key);
    const { isPossible, id } = (await looked?.catch(() => unclear)) ?? unclear;
    if (!isPossible && !isVerified) return undefined;
    return { status: "RECORDED", id, idempotencyKey: key, isVerified };
  }
}

/** The service counts sign-in attempts by username. */
function cooldownOf({ id, fields }: Call): string {
  return JSON.stringify([id, fields["username"]]);
}
