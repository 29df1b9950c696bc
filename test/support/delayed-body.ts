import { request as httpsRequest } from "node:https";
import { answerOf, type Answer } from "./https-client.ts";

export interface DelayedBodyRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  /** Runs after the service has admitted the request and before it receives the body. */
  readonly meanwhile: () => Promise<unknown>;
}

/**
 * Sends the headers with `Expect: 100-continue`, and the body after `meanwhile`. The service sends 100
 * only after every check that precedes the body.
 */
export function sendWithDelayedBody(
  url: string,
  ca: string,
  arriving: DelayedBodyRequest,
): Promise<Answer> {
  const { method, path, headers, body, meanwhile } = arriving;
  const payload = JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const request = httpsRequest(new URL(path, url), {
      method,
      ca,
      servername: "localhost",
      agent: false,
      headers: {
        ...headers,
        expect: "100-continue",
        "content-type": "application/json",
        "content-length": String(Buffer.byteLength(payload)),
      },
    });
    request.on("continue", () => {
      meanwhile().then(() => request.end(payload), reject);
    });
    request.on("response", (response) => {
      answerOf(response).then(resolve, reject);
    });
    request.on("error", reject);
    request.flushHeaders();
  });
}
