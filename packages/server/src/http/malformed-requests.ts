import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { ErrorCode } from "@ironlease/contract";
import type { Refusal } from "../ports/result.ts";
import { errorAnswer } from "./error-answers.ts";
import { securityHeaders } from "./security-headers.ts";

/**
 * Answers what never becomes a request (a bad request line, headers that are too large, an
 * expectation, a CONNECT) in the same shape as everything else, and ends the connection.
 */
export function answerMalformedRequests(server: Server, nextRequestId: () => string): void {
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
    const { status, body } = errorAnswer({ code: "expectation_failed" }, nextRequestId());
    const text = JSON.stringify(body);
    response.writeHead(status, rawHeaders(body.error.requestId, text)).end(text);
  });
  // The interim answer waits until everything before the body has passed; see readBody.
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) =>
    server.emit("request", request, response),
  );
  server.on("clientError", (error: ParseError, socket: Duplex) =>
    answerClientError(error, socket as Socket, nextRequestId()),
  );
  server.on("connect", (_request: IncomingMessage, socket: Duplex) =>
    endWith(
      socket,
      { code: "bad_request", message: "The service is not a proxy." },
      nextRequestId(),
    ),
  );
}

interface ParseError extends Error {
  readonly code?: string;
  readonly rawPacket?: Buffer;
}

function answerClientError(error: ParseError, socket: Socket, requestId: string): void {
  // The other end has gone, or an answer is already on its way: nobody is left to tell.
  if (error.code === "ECONNRESET" || !socket.writable || socket.bytesWritten > 0) {
    socket.destroy();
    return;
  }
  endWith(socket, { code: codeOf(error) }, requestId);
}

/** An address so long that not even the parser takes it has no line end in what it has seen. */
function codeOf({ code, rawPacket }: ParseError): ErrorCode {
  if (code !== "HPE_HEADER_OVERFLOW") return "bad_request";
  return rawPacket?.includes("\n") === false ? "uri_too_long" : "headers_too_large";
}

function endWith(socket: Duplex, refusal: Refusal, requestId: string): void {
  const { status, body } = errorAnswer(refusal, requestId);
  const text = JSON.stringify(body);
  const headers = Object.entries(rawHeaders(requestId, text)).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.end([`HTTP/1.1 ${status} Refused`, ...headers, "", text].join("\r\n"));
}

function rawHeaders(requestId: string, text: string): Record<string, string> {
  return {
    ...securityHeaders,
    "x-request-id": requestId,
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(text)),
    connection: "close",
  };
}
