import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { calculateJwkThumbprint, FlattenedSign, type JWK } from "jose";
import { OrderFailed } from "#ports/certificate-authority.ts";

/** What an authority answered, with the headers that matter. */
export interface AcmeAnswer {
  readonly text: string;
  /** The parsed body, or an empty object if it is not a JSON object. */
  readonly json: Readonly<Record<string, unknown>>;
  readonly location: string | undefined;
  readonly retryAfterMs: number | undefined;
}

export interface AcmeOptions {
  readonly directoryUrl: string;
  readonly userAgent: string;
}

const requestTimeoutMs = 30_000;
const maxAnswerBytes = 1_048_576;
/** Of one request, after answers that our nonce is stale. */
const maxNonces = 5;
const errorPrefix = "urn:ietf:params:acme:error:";

/** Signed requests to one authority. Each uses a new nonce, a repeated one too. */
export class AcmeSession {
  readonly #options: AcmeOptions;
  readonly #signal: AbortSignal;
  readonly #key: KeyObject;
  readonly #publicJwk: JWK;
  readonly #directory: Readonly<Record<string, unknown>>;
  #nonce: string | undefined;
  /** The URL of our account, once it is known. */
  accountUrl: string | undefined;

  private constructor(
    options: AcmeOptions,
    accountKeyPem: string,
    directory: Readonly<Record<string, unknown>>,
    signal: AbortSignal,
  ) {
    this.#options = options;
    this.#signal = signal;
    this.#directory = directory;
    this.#key = createPrivateKey(accountKeyPem);
    this.#publicJwk = createPublicKey(this.#key).export({ format: "jwk" });
  }

  static async open(
    options: AcmeOptions,
    accountKeyPem: string,
    signal: AbortSignal,
  ): Promise<AcmeSession> {
    const { response, text } = await send(options, options.directoryUrl, {}, signal);
    const { json } = answerOf(response, text);
    if (!response.ok) throw refusal(json, response);
    return new AcmeSession(options, accountKeyPem, json, signal);
  }

  /** The URL of a resource that the directory names. */
  url(resource: "newNonce" | "newAccount" | "newOrder"): string {
    return urlIn(this.#directory, resource);
  }

  /** RFC 8555, section 8.1. */
  async keyAuthorization(token: string): Promise<string> {
    return `${token}.${await calculateJwkThumbprint(this.#publicJwk)}`;
  }

  /** Without a body, it reads (POST-as-GET). */
  async post(url: string, body?: object): Promise<AcmeAnswer> {
    for (let attempt = 1; ; attempt += 1) {
      const init = {
        method: "POST",
        headers: { "content-type": "application/jose+json" },
        body: JSON.stringify(await this.#sign(url, body)),
      };
      const { response, text } = await send(this.#options, url, init, this.#signal);
      this.#nonce = response.headers.get("replay-nonce") ?? undefined;
      const answer = answerOf(response, text);
      if (response.ok) return answer;
      const isStale = answer.json["type"] === `${errorPrefix}badNonce`;
      if (!isStale || attempt === maxNonces) throw refusal(answer.json, response);
    }
  }

  async #sign(url: string, body: object | undefined) {
    const payload = body === undefined ? "" : JSON.stringify(body);
    const signer =
      this.accountUrl === undefined ? { jwk: this.#publicJwk } : { kid: this.accountUrl };
    const nonce = await this.#takeNonce();
    return new FlattenedSign(new TextEncoder().encode(payload))
      .setProtectedHeader({ alg: "ES256", nonce, url, ...signer })
      .sign(this.#key);
  }

  async #takeNonce(): Promise<string> {
    const nonce = this.#nonce;
    this.#nonce = undefined;
    if (nonce !== undefined) return nonce;
    const init = { method: "HEAD" };
    const { response } = await send(this.#options, this.url("newNonce"), init, this.#signal);
    const fresh = response.headers.get("replay-nonce");
    if (fresh === null) throw new OrderFailed("the authority gave no nonce", retryAfter(response));
    return fresh;
  }
}

export function urlIn(answer: Readonly<Record<string, unknown>>, name: string): string {
  const value = answer[name];
  const url = typeof value === "string" ? URL.parse(value) : null;
  if (url?.protocol !== "https:") throw new OrderFailed(`the authority gave no valid ${name}`);
  return url.href;
}

async function send(
  { userAgent }: AcmeOptions,
  url: string,
  init: RequestInit,
  stop: AbortSignal,
): Promise<{ readonly response: Response; readonly text: string }> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(requestTimeoutMs)]);
  const headers = { ...(init.headers as Record<string, string>), "user-agent": userAgent };
  try {
    const response = await fetch(url, { ...init, headers, redirect: "error", signal });
    return { response, text: await readText(response) };
  } catch (error) {
    if (error instanceof OrderFailed) throw error;
    const { cause } = error as Error;
    const reason = cause instanceof Error ? cause.message : (error as Error).message;
    throw new OrderFailed(`${new URL(url).host} does not answer: ${reason}`, undefined, {
      cause: error,
    });
  }
}

async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.length;
    if (length > maxAnswerBytes) throw new OrderFailed("an answer of the authority is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function answerOf(response: Response, text: string): AcmeAnswer {
  return {
    text,
    json: objectIn(text),
    location: response.headers.get("location") ?? undefined,
    retryAfterMs: retryAfter(response),
  };
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** Seconds or a date. */
function retryAfter({ headers }: Response): number | undefined {
  const text = headers.get("retry-after");
  if (text === null) return undefined;
  const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return ms >= 0 ? ms : undefined;
}

function refusal(problem: Readonly<Record<string, unknown>>, response: Response): OrderFailed {
  return new OrderFailed(describeProblem(problem, response.status), retryAfter(response));
}

/** "rateLimited: too many certificates already issued" */
export function describeProblem(problem: unknown, status?: number): string {
  const { type, detail, subproblems } = (problem ?? {}) as Record<string, unknown>;
  const kind = typeof type === "string" ? type.replace(errorPrefix, "") : `status ${status}`;
  const [first] = Array.isArray(subproblems) ? (subproblems as unknown[]) : [];
  const more = first === undefined ? "" : ` (${describeProblem(first)})`;
  const text = typeof detail === "string" ? `${kind}: ${detail}${more}` : kind;
  // It goes to the log and to the terminal.
  return text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, " ").slice(0, 500);
}
