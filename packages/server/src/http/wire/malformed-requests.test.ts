import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { rawRequests, readUntilClosed, sendRaw } from "#test/raw-https.ts";
import { startTestService, type Customer, type TestService } from "#test/service.ts";
import { securityHeaders } from "#http/answers/security-headers.ts";

const me = "/api/v1/me";
const keys = "/api/v1/api-keys";

describe("malformed requests", () => {
  let service: TestService;
  let ada: Customer;
  before(async () => {
    service = await startTestService("sqlite");
    ada = await service.register();
  });
  after(() => service.close());

  const { raw, hostLine } = rawRequests(() => service);

  test("malformed HTTP gets an error in the API's shape, with every security header", async () => {
    const requests: [string, string | Buffer, number, string][] = [
      ["a bad request line", "NONSENSE\r\n\r\n", 400, "bad_request"],
      ["an unknown method", `BREW ${me} HTTP/1.1\r\n${hostLine()}\r\n\r\n`, 400, "bad_request"],
      [
        "a bad header",
        `GET ${me} HTTP/1.1\r\n${hostLine()}\r\nbad header\r\n\r\n`,
        400,
        "bad_request",
      ],
      [
        "length and chunks at once",
        `POST ${me} HTTP/1.1\r\n${hostLine()}\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n`,
        400,
        "bad_request",
      ],
      [
        "bad percent-encoding",
        `GET /api/v1/%zz HTTP/1.1\r\n${hostLine()}\r\n\r\n`,
        400,
        "bad_request",
      ],
      [
        "an absolute target",
        `GET https://evil.example/ HTTP/1.1\r\n${hostLine()}\r\n\r\n`,
        400,
        "bad_request",
      ],
      [
        "a tunnel",
        `CONNECT evil.example:443 HTTP/1.1\r\n${hostLine()}\r\n\r\n`,
        400,
        "bad_request",
      ],
      [
        "an unsupported expectation",
        `GET ${me} HTTP/1.1\r\n${hostLine()}\r\nexpect: miracles\r\n\r\n`,
        417,
        "expectation_failed",
      ],
      [
        "oversized headers",
        `GET ${me} HTTP/1.1\r\n${hostLine()}\r\nx: ${"y".repeat(20_000)}\r\n\r\n`,
        431,
        "headers_too_large",
      ],
      [
        "a very long URL",
        `GET /${"y".repeat(20_000)} HTTP/1.1\r\n${hostLine()}\r\n\r\n`,
        414,
        "uri_too_long",
      ],
      [
        "a long URL",
        `GET /${"y".repeat(5_000)} HTTP/1.1\r\n${hostLine()}\r\n\r\n`,
        414,
        "uri_too_long",
      ],
      ["binary data", Buffer.from([0, 1, 2, 3, 13, 10, 13, 10]), 400, "bad_request"],
    ];
    for (const [what, request, status, code] of requests) {
      const answer = await sendRaw(service.url, service.ca, request);
      assert.equal(answer.status, status, `${what}: ${answer.head}`);
      const { error } = JSON.parse(answer.body) as { error: Record<string, unknown> };
      assert.deepEqual(Object.keys(error), ["code", "message", "requestId"], what);
      assert.equal(error["code"], code, what);
      for (const [name, value] of Object.entries(securityHeaders)) {
        assert.ok(
          answer.head.toLowerCase().includes(`${name}: ${value.toLowerCase()}`),
          `${what} lacks ${name}`,
        );
      }
      assert.match(answer.head, new RegExp(`x-request-id: ${String(error["requestId"])}`));
    }
  });

  test("malformed HTTP after a valid request on the same connection is answered second", async () => {
    const good = `GET /api/health HTTP/1.1\r\n${hostLine()}\r\n\r\n`;
    for (const bad of ["BAD\r\n\r\n", `GET / HTTP/1.1\r\n${hostLine()}\r\nbad header\r\n\r\n`]) {
      const text = await readUntilClosed(service.url, service.ca, good + bad);
      assert.match(
        text,
        /^HTTP\/1\.1 200 OK[\s\S]*"status":"ok"[\s\S]*HTTP\/1\.1 400[\s\S]*"bad_request"/,
      );
    }
  });

  test("a URL over the limit is 414 and headers over the limit are 431, at any size", async () => {
    for (const length of [17_000, 70_000, 200_000]) {
      const long = "y".repeat(length);
      const url = await raw([`GET /${long} HTTP/1.1`, hostLine()]);
      assert.equal(url.status, 414, `a URL of ${length}`);
      const header = await raw([`GET ${me} HTTP/1.1`, hostLine(), `x: ${long}`]);
      assert.equal(header.status, 431, `a header of ${length}`);
    }
    const huge = await raw([`GET ${me} HTTP/1.1`, hostLine(), `x: ${"y".repeat(1_000_000)}`]);
    assert.equal(huge.status, 431);
  });

  test("a transfer encoding other than chunked is 400", async () => {
    const answer = await raw(
      [`POST ${keys} HTTP/1.1`, hostLine(), "transfer-encoding: gzip, chunked"],
      "0\r\n\r\n",
    );
    assert.equal(answer.status, 400);
  });

  test("every answer has the security headers and none that names the software", async () => {
    const answers = await Promise.all([
      ada.send("GET", me),
      service.send("GET", me),
      service.send("GET", "/nowhere"),
      service.send("GET", "/api/health"),
      service.send("GET", "/docs"),
      ada.send("POST", keys, { rawBody: "{" }),
      ada.send("POST", "/api/v1/auth/logout", { headers: { "x-csrf-token": "wrong" } }),
    ]);
    for (const { headers } of answers) {
      for (const name of Object.keys(securityHeaders)) assert.ok(headers[name] !== undefined, name);
      assert.equal(headers["x-powered-by"], undefined);
      assert.equal(headers["server"], undefined);
      assert.ok(headers["x-request-id"] !== undefined);
    }
  });
});
