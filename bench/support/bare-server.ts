import { createServer } from "node:http";

/** What the service is measured against: `node:http` alone, sending the same bytes. */
const { headers, body } = JSON.parse(process.argv[2] ?? "{}") as {
  headers: Record<string, string>;
  body: string;
};
const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(body);
});
server.keepAliveTimeout = 65_000;
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(JSON.stringify({ port: typeof address === "object" ? address?.port : 0 }));
});
