import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream/promises";
import type { Log } from "#ports/log.ts";
import type { RequestTally } from "#ports/metrics.ts";
import type { Refusal } from "#ports/result.ts";
import type { Answered, Outcome, Shown, StreamedAnswer } from "./outcome.ts";
import { answerLog, type AnswerEntry } from "./answer-log.ts";
import { errorAnswer } from "./error-answers.ts";
import type { Exchange } from "#http/wire/exchange.ts";
import { encodingFor } from "#http/pages.ts";
import { discardBody, isWorthDiscarding } from "#http/wire/read-body.ts";

const json = "application/json; charset=utf-8";

interface AnswersOptions {
  readonly log: Log;
  readonly requests: RequestTally;
  /** Sent with every answer. */
  readonly headers: Readonly<Record<string, string>>;
  readonly acceptsApiKeys: boolean;
  /** The client's address. */
  readonly addressOf: (raw: IncomingMessage) => string;
}

/** Statuses that attacks cause. The log then includes the caller and the client's address. */
const accessStatuses: ReadonlySet<number> = new Set([401, 403, 421, 429]);

/** Sends every answer with the common headers, logs it, and counts it in the metrics. */
export class Answers {
  readonly #log: (entry: AnswerEntry) => void;
  readonly #headers: Readonly<Record<string, string>>;
  /** The same headers as alternating names and values, which Node writes fastest. */
  readonly #flatHeaders: readonly string[];
  readonly #requests: RequestTally;
  readonly #challenge: "Bearer" | undefined;
  readonly #addressOf: (raw: IncomingMessage) => string;
  /** While the service drains, each connection closes after its answer. */
  isDraining = false;

  constructor(options: AnswersOptions) {
    this.#log = answerLog(options.log);
    this.#headers = options.headers;
    this.#flatHeaders = Object.entries(options.headers).flat();
    this.#requests = options.requests;
    this.#challenge = options.acceptsApiKeys ? "Bearer" : undefined;
    this.#addressOf = options.addressOf;
  }

  /** Resolves when the answer is handed to the socket, which takes time only for a streamed one. */
  send(exchange: Exchange, outcome: Outcome): Promise<void> | undefined {
    if (outcome.kind === "stream") return this.#sendStream(exchange, outcome);
    if (outcome.kind === "answer") this.#sendText(exchange, outcome);
    else if (outcome.kind === "page") this.#sendPage(exchange, outcome);
    else this.#refuse(exchange, outcome.refusal);
    return undefined;
  }

  /** Reads no further than the client has received. A failure cuts the connection, so that a client cannot take the part for the whole. */
  async #sendStream(
    exchange: Exchange,
    { status, contentType, chunks, fileName }: StreamedAnswer,
  ): Promise<void> {
    const { raw, response, requestId } = exchange;
    const headers = [...this.#flatHeaders, "x-request-id", requestId, "content-type", contentType];
    if (fileName !== undefined) {
      headers.push("content-disposition", `attachment; filename="${fileName}"`);
    }
    if (this.isDraining) headers.push("connection", "close");
    response.writeHead(status, headers);
    if (raw.method === "HEAD") response.end();
    else await pipeline(bytesOf(chunks), response);
    this.#record(exchange, status);
  }

  #sendText(
    exchange: Exchange,
    { status, text, headers: more }: Omit<Answered, "kind">,
    refused?: object,
  ): void {
    const headers = [...this.#flatHeaders, "x-request-id", exchange.requestId, ...more];
    let encoding: BufferEncoding = "utf8";
    if (text !== undefined) {
      const length = Buffer.byteLength(text);
      headers.push("content-type", json, "content-length", String(length));
      // Most answers are pure ASCII, which has the same bytes in Latin-1 and so needs no UTF-8 encoding.
      if (length === text.length) encoding = "latin1";
    }
    this.#write(exchange, status, headers, text, encoding, refused);
  }

  #refuse(exchange: Exchange, refusal: Refusal): void {
    const { status, headers, body } = errorAnswer(refusal, exchange.requestId, this.#challenge);
    const more = Object.entries(headers).flat();
    if (refusal.code === "method_not_allowed") more.push("allow", exchange.match?.allow ?? "");
    const { raw } = exchange;
    if (exchange.announcesBody && !raw.readableEnded) {
      // Reading a small body to its end lets the client read the answer. A large body is cut off.
      if (isWorthDiscarding(raw)) discardBody(raw);
      else more.push("connection", "close");
    }
    const answer = { status, text: JSON.stringify(body), headers: more };
    this.#sendText(exchange, answer, this.#refusedOf(exchange, refusal, status));
  }

  /** The log fields of a refusal: its code and, for access statuses, the caller and address. */
  #refusedOf({ raw, account, operator }: Exchange, { code }: Refusal, status: number): object {
    if (!accessStatuses.has(status)) return { code };
    const actor = operator?.operatorId ?? account?.accountId;
    return { code, actor, ipAddress: this.#addressOf(raw) };
  }

  /** The page's headers override the common ones. */
  #sendPage(exchange: Exchange, { status, page }: Shown): void {
    const encoding = encodingFor(page, exchange.raw.headers["accept-encoding"]);
    const body = encoding?.body ?? page.body;
    const headers = Object.entries({
      ...this.#headers,
      "x-request-id": exchange.requestId,
      ...page.headers,
      ...(page.encoded === undefined ? {} : { vary: "accept-encoding" }),
      ...(encoding === undefined ? {} : { "content-encoding": encoding.coding }),
      "content-length": String(Buffer.byteLength(body)),
    }).flat();
    this.#write(exchange, status, headers, body);
  }

  #write(
    exchange: Exchange,
    status: number,
    headers: string[],
    body: string | Buffer | undefined,
    encoding: BufferEncoding = "utf8",
    refused?: object,
  ): void {
    const { response } = exchange;
    if (this.isDraining) headers.push("connection", "close");
    response.writeHead(status, headers);
    response.end(body, encoding);
    this.#record(exchange, status, refused);
  }

  #record(
    { raw, requestId, traceId, receivedAt, entry }: Exchange,
    status: number,
    refused?: object,
  ): void {
    const operation = entry?.kind === "operation" ? entry.id : undefined;
    const ms = performance.now() - receivedAt;
    this.#requests.answered(operation, status, ms);
    // Never log the path, the query or a header: any of them may contain a misplaced secret.
    this.#log({ requestId, traceId, operation, method: raw.method ?? "", status, ms, refused });
  }
}

/**
 * Node waits for bytes and its socket counts letters: with text of several bytes per letter, `drain` may never come
 * (`OutgoingMessage.write` of Node 26 against `Writable` without `decodeStrings`).
 */
async function* bytesOf(chunks: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk);
}
