import { readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { text } from "node:stream/consumers";
import type { BenchCertificate } from "./certificate.ts";

/** The baseline of the read benchmarks: `node:http` or `node:https` that answers with the same bytes. */
const { headers, body, certificate } = JSON.parse(await text(process.stdin)) as {
  headers: Record<string, string>;
  body: string;
  certificate?: BenchCertificate;
};
const answer: RequestListener = (_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
};
const server =
  certificate === undefined
    ? createServer(answer)
    : createTlsServer(
        { cert: readFileSync(certificate.certificatePath), key: readFileSync(certificate.keyPath) },
        answer,
      );
server.keepAliveTimeout = 65_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(JSON.stringify({ port: typeof address === "object" ? address?.port : 0 }));
});
