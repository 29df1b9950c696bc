import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Refusal } from "#ports/result.ts";
import { errorAnswer } from "#http/answers/error-answers.ts";
import { newRequestId } from "./request-ids.ts";

/**
 * Answers input that never becomes a request (a bad request line, oversized headers, an unsupported
 * expectation, a CONNECT) with the error shape of all other answers, and closes the connection.
 */
export function answerMalformedRequests(
  server: Server,
  commonHeaders: Readonly<Record<string, string>>,
  onAnswer: (status: number) => void,
): void {
  const answering: Answering = { commonHeaders, onAnswer };
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
    const { status, headers, text } = answerTo({ code: "expectation_failed" }, answering);
    response.writeHead(status, headers).end(text);
  });
  server.on("request", (request: IncomingMessage, response: ServerResponse) =>
    latest.set(request.socket, response),
  );
  // readBody sends 100 Continue, once the checks before the body have passed.
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) =>
    server.emit("request", request, response),
  );
  server.on("clientError", (error: ParseError, socket: Duplex) =>
    answerClientError(error, socket as Socket, answering),
  );
  server.on("connect", (_request: IncomingMessage, socket: Duplex) =>
    endWith(
      socket,
      {
        code: "bad_request",
        message: "This service is not a proxy. Connect to the target directly.",
      },
      answering,
    ),
  );
}

interface Answering {
  readonly commonHeaders: Readonly<Record<string, string>>;
  readonly onAnswer: (status: number) => void;
}

interface ParseError extends Error {
  readonly code?: string;
}

/** Connections that got their last answer. Any further input is discarded. */
const ended = new WeakSet<Duplex>();
/** The latest answer of each connection, which may not be sent yet. */
const latest = new WeakMap<Duplex, ServerResponse>();

/** Long enough for a client to finish sending and to read the refusal. */
const lingerMs = 2_000;

function answerClientError(error: ParseError, socket: Socket, answering: Answering): void {
  if (ended.has(socket)) return;
  // The client has disconnected.
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal: Refusal = {
    code: error.code === "HPE_HEADER_OVERFLOW" ? "headers_too_large" : "bad_request",
  };
  const previous = latest.get(socket);
  // A complete earlier request on the connection gets its answer first. An aborted request never gets
  // one, so waiting for it would leave the connection open.
  const isInFlight = previous?.req.complete === true || previous?.headersSent === true;
  if (previous !== undefined && isInFlight && !previous.writableFinished) {
    previous.once("finish", () => endWith(socket, refusal, answering));
  } else {
    endWith(socket, refusal, answering);
  }
}

/** Ends the connection, but keeps reading for a while: a reset could destroy the answer. */
function endWith(socket: Duplex, refusal: Refusal, answering: Answering): void {
  if (ended.has(socket)) return;
  ended.add(socket);
  const { status, headers, text } = answerTo(refusal, answering);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} Refused`, ...lines, "", text].join("\r\n"));
  socket.resume();
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

function answerTo(refusal: Refusal, { commonHeaders, onAnswer }: Answering) {
  const requestId = newRequestId();
  const { status, body } = errorAnswer(refusal, requestId);
  onAnswer(status);
  const text = JSON.stringify(body);
  const headers: Record<string, string> = {
    ...commonHeaders,
    "x-request-id": requestId,
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(text)),
    connection: "close",
  };
  return { status, headers, text };
}
