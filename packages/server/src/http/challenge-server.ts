import { createServer, type Server, type ServerResponse } from "node:http";
import { findChallenge } from "#features/certificates/challenges.ts";
import type { Core } from "#kernel/core.ts";
import type { Log } from "#ports/log.ts";

const challenge = /^\/\.well-known\/acme-challenge\/([\w-]{1,200})$/;
/** Authorities ask from a few places at once. Nobody else needs this listener. */
const maxConnections = 100;
const requestTimeoutMs = 10_000;

/** Answers an authority's HTTP challenges, and nothing else, on plain HTTP. */
export function createChallengeServer(core: Pick<Core, "db">, log: Log): Server {
  const server = createServer(
    { maxHeaderSize: 8_192, requestTimeout: requestTimeoutMs, headersTimeout: requestTimeoutMs },
    (request, response) => {
      const [, token] = challenge.exec(request.url ?? "") ?? [];
      const isRead = request.method === "GET" || request.method === "HEAD";
      if (token === undefined || !isRead) return respond(response, 404, "Not found.\n");
      findChallenge(core, token).then(
        (answer) => respond(response, answer === undefined ? 404 : 200, answer ?? "Not found.\n"),
        (error: unknown) => {
          log.warn({ reason: String(error) }, "a challenge could not be answered");
          respond(response, 503, "Try again.\n");
        },
      );
    },
  );
  server.maxConnections = maxConnections;
  return server;
}

function respond(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, {
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "no-store",
      connection: "close",
    })
    .end(text);
}
