import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { readFile } from "node:fs/promises";
import { createKeyedSemaphore } from "#kernel/concurrency/semaphore.ts";
import { traceHeaders } from "#kernel/concurrency/trace.ts";
import { SettlementFailed, SettlementUnavailable } from "#ports/settlement.ts";
import { authorizationOf, readChallenge, type Challenge, type Login } from "./digest-login.ts";

/** The RPC of monerod or monero-wallet-rpc. */
export interface MoneroRpc {
  /** JSON-RPC. Throws `RpcRefusal` when the server answers with an error. */
  call(method: string, params: object, signal: AbortSignal): Promise<unknown>;
  /** A call of the daemon outside JSON-RPC, such as /get_transactions. */
  post(path: string, body: object, signal: AbortSignal): Promise<unknown>;
}

/** The server understood a call and answered with an error. */
export class RpcRefusal extends SettlementFailed {
  readonly code: number;

  constructor(name: string, method: string, code: number, message: string) {
    super(`${name} answered ${method} with error ${code}: ${message}`);
    this.code = code;
  }
}

interface Endpoint {
  /** In messages: "The wallet of monero". */
  readonly name: string;
  readonly url: string;
  /** Holds `user:password`. Undefined without a login. */
  readonly loginFile?: string | undefined;
}

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly challenge: Challenge | undefined;
}

const maxAnswerBytes = 64 * 1024 * 1024;
const longestMessage = 200;
/** The servers accept few connections, so an idle one is closed. */
const longestIdleMs = 10_000;
const jsonRpcPath = "/json_rpc";
/** The wallet's codes for a daemon that is busy or unreachable. */
const daemonProblems = new Set([-3, -9, -38]);

export function createMoneroRpc(endpoint: Endpoint): MoneroRpc {
  const { name } = endpoint;
  const send = createSender(endpoint);
  return {
    post: async (path, body, signal) => readJson(name, await send(path, body, signal)),
    call: async (method, params, signal) => {
      const body = { jsonrpc: "2.0", id: "0", method, params };
      return readResult(name, method, readJson(name, await send(jsonRpcPath, body, signal)));
    },
  };
}

/**
 * Sends one request at a time over one kept connection: the nonce of a login is valid for its connection only, and
 * each request with it must have a higher count than the one before.
 */
function createSender(endpoint: Endpoint) {
  const { name, url, loginFile } = endpoint;
  const isSecure = new URL(url).protocol === "https:";
  const kept = { keepAlive: true, maxSockets: 1, timeout: longestIdleMs };
  const agent = new (isSecure ? HttpsAgent : HttpAgent)(kept);
  const inTurn = createKeyedSemaphore();
  let challenge: Challenge | undefined;
  let login: Login | undefined;
  let count = 0;

  const post = async (path: string, body: string, signal: AbortSignal): Promise<Reply> => {
    count += 1;
    const request = { method: "POST", path, count };
    const authorization =
      challenge === undefined || login === undefined
        ? undefined
        : authorizationOf(login, challenge, request);
    const target = new URL(path, url);
    const send = () => exchange(name, { target, agent, isSecure, body, authorization, signal });
    try {
      return await send();
    } catch (error) {
      // The server closed the kept connection in the meantime.
      if (!isStale(error)) throw error;
      return await send();
    }
  };

  const sendInTurn = async (path: string, body: string, signal: AbortSignal): Promise<Reply> => {
    signal.throwIfAborted();
    let reply = await post(path, body, signal);
    // A new connection, or one that the server has forgotten, has another nonce.
    for (let attempt = 0; attempt < 2 && reply.status === 401; attempt += 1) {
      login = await readLogin(name, loginFile);
      ({ challenge } = reply);
      count = 0;
      if (challenge === undefined) break;
      reply = await post(path, body, signal);
    }
    if (reply.status === 401) {
      throw new SettlementUnavailable(`${name} refused the login. Check the login file.`);
    }
    return reply;
  };

  return async (path: string, body: object, signal: AbortSignal): Promise<Reply> => {
    const text = JSON.stringify(body);
    try {
      return await inTurn("connection", 1, () => sendInTurn(path, text, signal));
    } catch (error) {
      throw explained(name, error, signal);
    }
  };
}

function explained(name: string, error: unknown, signal: AbortSignal): unknown {
  if (error instanceof SettlementFailed || error instanceof SettlementUnavailable) return error;
  if (signal.aborted) {
    if (signal.reason instanceof SettlementUnavailable) return signal.reason;
    return new SettlementUnavailable(`${name} did not answer in time`, { cause: error });
  }
  return new SettlementUnavailable(
    `${name} cannot be reached${codeIn(error)}. Check that it runs and check its address.`,
    { cause: error },
  );
}

async function readLogin(name: string, file: string | undefined): Promise<Login> {
  if (file === undefined) {
    throw new SettlementUnavailable(`${name} wants a login. Set walletLoginFile.`);
  }
  let text: string;
  try {
    text = (await readFile(file, "utf8")).trim();
  } catch (error) {
    const message = `The login file of ${name} cannot be read${codeIn(error)}.`;
    throw new SettlementUnavailable(message, { cause: error });
  }
  const colon = text.indexOf(":");
  if (colon < 1) {
    throw new SettlementUnavailable(`The login file of ${name} must hold user:password.`);
  }
  return { user: text.slice(0, colon), password: text.slice(colon + 1) };
}

interface Exchange {
  readonly target: URL;
  readonly agent: HttpAgent | HttpsAgent;
  readonly isSecure: boolean;
  readonly body: string;
  readonly authorization: string | undefined;
  readonly signal: AbortSignal;
}

async function exchange(name: string, options: Exchange): Promise<Reply> {
  const { target, agent, isSecure, body, authorization, signal } = options;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    ...traceHeaders(),
    ...(authorization !== undefined && { authorization }),
  };
  const send = isSecure ? httpsRequest : httpRequest;
  const request = send(target, { method: "POST", agent, signal, headers }, resolve);
  request.on("error", (error) => reject(request.reusedSocket ? new StaleConnection(error) : error));
  request.end(body);
  const response = await promise;
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) {
      throw new SettlementFailed(`${name} answered with more than ${maxAnswerBytes} bytes`);
    }
    chunks.push(chunk);
  }
  const { statusCode: status = 0, headersDistinct } = response;
  const challenge = readChallenge(headersDistinct["www-authenticate"] ?? []);
  return { status, text: Buffer.concat(chunks).toString("utf8"), challenge };
}

class StaleConnection extends Error {
  constructor(cause: Error) {
    super("the kept connection is gone", { cause });
  }
}

function isStale(error: unknown): boolean {
  const code = error instanceof StaleConnection ? codeOf(error.cause) : undefined;
  return code === "ECONNRESET" || code === "EPIPE";
}

/** Amounts can exceed what a double holds exactly, so such integers become bigints. */
function readJson(name: string, { status, text }: Reply): unknown {
  if (status >= 500) throw new SettlementUnavailable(`${name} answered with HTTP status ${status}`);
  try {
    return JSON.parse(text, exactIntegers) as unknown;
  } catch (error) {
    const message = `${name} answered with HTTP status ${status} and no JSON`;
    throw new SettlementFailed(message, { cause: error });
  }
}

function exactIntegers(_key: string, value: unknown, context?: { readonly source?: string }) {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value;
  const source = context?.source ?? "";
  return /^\d{1,20}$/.test(source) ? BigInt(source) : value;
}

function readResult(name: string, method: string, answer: unknown): unknown {
  if (typeof answer === "object" && answer !== null) {
    const { result, error } = answer as { result?: unknown; error?: unknown };
    if (error === undefined || error === null) {
      if (result !== undefined) return result;
    } else {
      const { code, message } = error as { code?: unknown; message?: unknown };
      const text = typeof message === "string" ? message.slice(0, longestMessage) : "";
      const number = typeof code === "number" ? code : 0;
      if (daemonProblems.has(number)) throw new SettlementUnavailable(`${name}: ${text}`);
      throw new RpcRefusal(name, method, number, text);
    }
  }
  throw new SettlementFailed(`${name} answered ${method} with something else than JSON-RPC`);
}

function codeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : undefined;
}

/** The system's code alone: messages of errors can name addresses and files. */
function codeIn(error: unknown): string {
  const code = codeOf(error) ?? codeOf((error as Error | undefined)?.cause);
  return code === undefined ? "" : ` (${code})`;
}
