import { traceHeaders } from "#kernel/concurrency/trace.ts";
import { SettlementFailed, SettlementUnavailable } from "#ports/settlement.ts";
import { readAuthorization, type RpcCredentials } from "./rpc-credentials.ts";

export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

export type RpcAnswer = { readonly result: unknown } | { readonly error: RpcRefusal };

export interface JsonRpc {
  /** Throws `RpcRefusal` when the node answers with an error. */
  call(method: string, params: readonly unknown[], signal: AbortSignal): Promise<unknown>;
  /** One request for all calls. The answers are in their order. */
  batch(calls: readonly RpcCall[], signal: AbortSignal): Promise<readonly RpcAnswer[]>;
}

/** The node understood a call and answered with an error. */
export class RpcRefusal extends SettlementFailed {
  readonly code: number;

  constructor(network: string, method: string, code: number, message: string) {
    super(`${network} answered ${method} with error ${code}: ${message}`);
    this.code = code;
  }
}

interface Endpoint {
  readonly network: string;
  readonly url: string;
  readonly version: RpcVersion;
  /** Undefined where the node asks for none. */
  readonly credentials: RpcCredentials | undefined;
}

/** Bitcoin Core answers 2.0 differently in each version. Ethereum's nodes refuse 1.0. */
type RpcVersion = "1.0" | "2.0";

interface Reply {
  readonly status: number;
  readonly text: string;
}

/** The verbose form of a full block takes some 20 MB. */
const maxAnswerBytes = 64 * 1024 * 1024;
const longestMessage = 200;
const startingUp = -28;

/** The part of JSON-RPC that every node answers alike. */
export function createJsonRpc(endpoint: Endpoint): JsonRpc {
  const { network, version } = endpoint;
  const send = createSender(endpoint);

  const batch = async (calls: readonly RpcCall[], signal: AbortSignal) => {
    if (calls.length === 0) return [];
    const body = calls.map((call, id) => ({ jsonrpc: version, id, ...call }));
    const answers = parseReply(network, await send(JSON.stringify(body), signal));
    if (!Array.isArray(answers)) {
      // One answer for the whole batch can only be an error.
      const refused = readAnswer(network, "a batch", answers);
      throw "error" in refused ? refused.error : malformed(network, "a batch");
    }
    const byId = new Map(answers.map((answer: unknown) => [idOf(answer), answer]));
    return calls.map(({ method }, id) => readAnswer(network, method, byId.get(id)));
  };

  return {
    batch,
    call: async (method, params, signal) => {
      const body = JSON.stringify({ jsonrpc: version, id: 0, method, params });
      const reply = parseReply(network, await send(body, signal));
      const answer = readAnswer(network, method, reply);
      if ("error" in answer) throw answer.error;
      return answer.result;
    },
  };
}

/** Sends a body with the current credentials. The node writes a new cookie each time it starts. */
function createSender({ network, url, credentials }: Endpoint) {
  let authorization: string | undefined;

  const readCredentials = async (): Promise<string | undefined> => {
    try {
      return credentials && (await readAuthorization(credentials));
    } catch (error) {
      throw new SettlementUnavailable(
        `The RPC credentials of ${network} cannot be read${codeIn(error)}. Check that the node runs and that the file is readable.`,
        { cause: error },
      );
    }
  };
  const post = async (body: string, signal: AbortSignal): Promise<Reply> => {
    authorization ??= await readCredentials();
    try {
      return await exchange(network, url, { body, authorization, signal });
    } catch (error) {
      authorization = undefined;
      throw signal.aborted || error instanceof SettlementFailed
        ? error
        : new SettlementUnavailable(
            `${network} cannot be reached${codeIn(error)}. Check that the node runs and check its RPC address.`,
            { cause: error },
          );
    }
  };

  return async (body: string, signal: AbortSignal): Promise<Reply> => {
    const first = await orAborted(network, signal, post(body, signal));
    if (first.status !== 401) return first;
    authorization = undefined;
    const second = await orAborted(network, signal, post(body, signal));
    if (second.status !== 401) return second;
    authorization = undefined;
    throw new SettlementUnavailable(
      credentials === undefined
        ? `${network} asks for RPC credentials. Configure rpcUser and rpcPasswordFile.`
        : `${network} refused the RPC credentials. Check the cookie or password file.`,
    );
  };
}

/** The caller's deadline usually carries its own SettlementUnavailable. */
async function orAborted<T>(network: string, signal: AbortSignal, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!signal.aborted || signal.reason instanceof SettlementUnavailable) throw error;
    throw new SettlementUnavailable(`${network} did not answer in time`, { cause: error });
  }
}

async function exchange(
  network: string,
  url: string,
  request: { body: string; authorization: string | undefined; signal: AbortSignal },
): Promise<Reply> {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...traceHeaders(),
      ...(request.authorization !== undefined && { authorization: request.authorization }),
    },
    body: request.body,
    // A redirect would send the credentials elsewhere.
    redirect: "manual",
    signal: request.signal,
  });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) {
      throw new SettlementFailed(`${network} answered with more than ${maxAnswerBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return { status: response.status, text: Buffer.concat(chunks).toString("utf8") };
}

function parseReply(network: string, { status, text }: Reply): unknown {
  if (status === 403) {
    throw new SettlementUnavailable(
      `${network} refused the connection. Allow this machine in the node's settings, such as rpcallowip.`,
    );
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    // A full work queue, or a proxy in front of a stopped node.
    if (status >= 500) {
      throw new SettlementUnavailable(`${network} answered with HTTP status ${status}`, {
        cause: error,
      });
    }
    throw new SettlementFailed(`${network} answered with HTTP status ${status} and no JSON`, {
      cause: error,
    });
  }
}

/** Nodes that follow JSON-RPC 2.0 leave out `error` or `result`, older ones set it to null. */
function readAnswer(network: string, method: string, answer: unknown): RpcAnswer {
  if (typeof answer !== "object" || answer === null) throw malformed(network, method);
  const { result, error } = answer as { result?: unknown; error?: unknown };
  if (error === undefined || error === null) {
    if (result === undefined) throw malformed(network, method);
    return { result };
  }
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code !== "number" || typeof message !== "string") throw malformed(network, method);
  const text = message.slice(0, longestMessage);
  if (code === startingUp) throw new SettlementUnavailable(`${network} is starting: ${text}`);
  return { error: new RpcRefusal(network, method, code, text) };
}

/** Throws when the answer is an error. */
export function resultOf(answer: RpcAnswer | undefined): unknown {
  if (answer === undefined) return undefined;
  if ("error" in answer) throw answer.error;
  return answer.result;
}

function idOf(answer: unknown): unknown {
  return typeof answer === "object" && answer !== null && "id" in answer ? answer.id : undefined;
}

function malformed(network: string, method: string): SettlementFailed {
  return new SettlementFailed(`${network} answered ${method} with something else than JSON-RPC`);
}

/** The system's code alone: messages of errors can name addresses and files. */
function codeIn(error: unknown): string {
  const { code } = (error instanceof Error ? (error.cause ?? error) : {}) as { code?: unknown };
  return typeof code === "string" ? ` (${code})` : "";
}
