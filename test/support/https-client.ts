import { Agent, request as httpsRequest } from "node:https";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { ErrorBody } from "@ironlease/contract";

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed body. */
  // oxlint-disable-next-line typescript/no-explicit-any -- a test asserts on it field by field
  readonly json: any;
}

export interface RequestOptions {
  readonly body?: unknown;
  /** Sent unchanged, for bodies that are not JSON. */
  readonly rawBody?: string | Buffer;
  /** Undefined removes a default header. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
}

export type Send = (method: string, path: string, options?: RequestOptions) => Promise<Answer>;

/** An HTTPS client that verifies the service's certificate against its CA. */
export function httpsClient(url: string, ca: string): { send: Send; close(): void } {
  const agent = new Agent({ keepAlive: true, ca, maxSockets: 256 });
  const { hostname, port } = new URL(url);
  const send: Send = (method, path, options = {}) =>
    new Promise((resolve, reject) => {
      const payload =
        options.rawBody ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
      const headers: Record<string, string | string[]> = {};
      if (payload !== undefined) {
        headers["content-type"] = "application/json";
        headers["content-length"] = String(Buffer.byteLength(payload));
      }
      for (const [name, value] of Object.entries(options.headers ?? {})) {
        if (value === undefined) Reflect.deleteProperty(headers, name);
        else headers[name] = value;
      }
      const request = httpsRequest(
        { hostname, port, servername: hostname, method, path, headers, agent },
        (response) => {
          answerOf(response).then(resolve, reject);
        },
      );
      request.on("error", reject);
      request.end(payload);
    });
  return { send, close: () => agent.destroy() };
}

/** Reads the whole answer. */
export async function answerOf(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const isJson = response.headers["content-type"]?.startsWith("application/json") === true;
  const json: unknown = isJson && text !== "" ? JSON.parse(text) : undefined;
  return { status: response.statusCode ?? 0, headers: response.headers, text, json };
}

export function codeOf(answer: Answer): string | undefined {
  return (answer.json as Partial<ErrorBody> | undefined)?.error?.code;
}
