import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Refusal } from "#ports/result.ts";
import { errorAnswer } from "#http/answers/error-answers.ts";
import { newRequestId } from "./request-ids.ts";

/**
 * Answers what never becomes a request (a bad request line, headers that are too large, an
 * expectation, a CONNECT) in the same shape as everything else, and ends the connection.
 */
export function answerMalformedRequests(
  server: Server,
  always: Readonly<Record<string, string>>,
  onAnswer: (status: number) => void,
): void {
  const answering: Answering = { always, onAnswer };
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
    const { status, headers, text } = answerTo({ code: "expectation_failed" }, answering);
    response.writeHead(status, headers).end(text);
  });
  server.on("request", (request: IncomingMessage, response: ServerResponse) =>
    latest.set(request.socket, response),
  );
  // The interim answer waits until everything before the body has passed; see readBody.
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
  readonly always: Readonly<Record<string, string>>;
  readonly onAnswer: (status: number) => void;
}

interface ParseError extends Error {
  readonly code?: string;
}

/** Connections that have had their last answer; whatever else arrives on them is thrown away. */
const ended = new WeakSet<Duplex>();
/** The latest answer of each connection, which may still be on its way. */
const latest = new WeakMap<Duplex, ServerResponse>();

/** Long enough for a client to finish sending and read why it was refused. */
const lingerMs = 2_000;

function answerClientError(error: ParseError, socket: Socket, answering: Answering): void {
  if (ended.has(socket)) return;
  // The other end has gone: nobody is left to tell.
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal: Refusal = {
    code: error.code === "HPE_HEADER_OVERFLOW" ? "headers_too_large" : "bad_request",
  };
  const before = latest.get(socket);
  // A good request that came before on the same connection gets its answer first. The request that
  // broke off is not one: nobody will ever answer it, and the connection would wait for that for ever.
  const isUnderWay = before?.req.complete === true || before?.headersSent === true;
  if (before !== undefined && isUnderWay && !before.writableFinished) {
    before.once("finish", () => endWith(socket, refusal, answering));
  } else {
    endWith(socket, refusal, answering);
  }
}

/** Ends the connection, but takes in what is still being sent: a reset would destroy the answer. */
function endWith(socket: Duplex, refusal: Refusal, answering: Answering): void {
  if (ended.has(socket)) return;
  ended.add(socket);
  const { status, headers, text } = answerTo(refusal, answering);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end([`HTTP/1.1 ${status} Refused`, ...lines, "", text].join("\r\n"));
  socket.resume();
  setTimeout(() => socket.destroy(), lingerMs).unref();
}

function answerTo(refusal: Refusal, { always, onAnswer }: Answering) {
  const requestId = newRequestId();
  const { status, body } = errorAnswer(refusal, requestId);
  onAnswer(status);
  const text = JSON.stringify(body);
  const headers: Record<string, string> = {
    ...always,
    "x-request-id": requestId,
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(text)),
    connection: "close",
  };
  return { status, headers, text };
}
