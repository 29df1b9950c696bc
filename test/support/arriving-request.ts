import { request as httpsRequest } from "node:https";
import { answerOf, type Answer } from "./https-client.ts";

export interface ArrivingRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  /** Runs when the service has let the request in and waits for its body. */
  readonly meanwhile: () => Promise<unknown>;
}

/**
 * Sends the head of a request, waits until the service asks for the body, and sends that only when
 * `meanwhile` is over. The service answers 100 after every check that comes before the body.
 */
export function sendArriving(url: string, ca: string, arriving: ArrivingRequest): Promise<Answer> {
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
