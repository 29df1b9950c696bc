import { readFile } from "node:fs/promises";
import { traceHeaders } from "#kernel/concurrency/trace.ts";
import { DnsUnavailable } from "#ports/dns.ts";

export interface ApiAnswer {
  readonly status: number;
  /** Undefined when the body is not JSON. */
  readonly json: unknown;
}

export type ApiCall = (
  method: "GET" | "POST" | "PATCH",
  path: string,
  body: object | undefined,
  signal: AbortSignal,
) => Promise<ApiAnswer>;

interface Endpoint {
  readonly apiUrl: string;
  readonly apiKeyFile: string;
  readonly serverId: string;
}

/** A zone of 65,536 records takes some 20 MB. */
const maxAnswerBytes = 64 * 1024 * 1024;

/** Calls the HTTP API. The key is read for each call, so that it can be changed while the service runs. */
export function createPowerDnsApi({ apiUrl, apiKeyFile, serverId }: Endpoint): ApiCall {
  const base = `${apiUrl.replace(/\/$/, "")}/api/v1/servers/${encodeURIComponent(serverId)}`;
  return async (method, path, body, signal) => {
    const key = await readKey(apiKeyFile);
    const answer = await exchange(`${base}${path}`, { method, key, body, signal });
    if (answer.status === 401 || answer.status === 403) {
      throw new DnsUnavailable("PowerDNS refused the API key. Check apiKeyFile and api-key.");
    }
    return answer;
  };
}

async function readKey(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (error) {
    throw new DnsUnavailable(
      `The API key of PowerDNS cannot be read${codeIn(error)}. Check apiKeyFile.`,
      { cause: error },
    );
  }
}

async function exchange(
  url: string,
  request: { method: string; key: string; body: object | undefined; signal: AbortSignal },
): Promise<ApiAnswer> {
  const { method, key, body, signal } = request;
  try {
    const response = await fetch(url, {
      method,
      headers: { "x-api-key": key, "content-type": "application/json", ...traceHeaders() },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // A redirect would send the key elsewhere.
      redirect: "manual",
      signal,
    });
    return { status: response.status, json: parse(await readBody(response)) };
  } catch (error) {
    if (error instanceof DnsUnavailable) throw error;
    if (signal.aborted) throw unanswered(signal, error);
    throw new DnsUnavailable(
      `PowerDNS cannot be reached${codeIn(error)}. Check apiUrl and that its API is enabled.`,
      { cause: error },
    );
  }
}

/** The caller's deadline usually carries its own DnsUnavailable. */
function unanswered({ reason }: AbortSignal, cause: unknown): DnsUnavailable {
  if (reason instanceof DnsUnavailable) return reason;
  return new DnsUnavailable("PowerDNS did not answer in time.", { cause });
}

async function readBody({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) {
      throw new DnsUnavailable(`PowerDNS answered with more than ${maxAnswerBytes} bytes.`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The system's code alone: messages of errors can name addresses and files. */
function codeIn(error: unknown): string {
  const { code } = (error instanceof Error ? (error.cause ?? error) : {}) as { code?: unknown };
  return typeof code === "string" ? ` (${code})` : "";
}
