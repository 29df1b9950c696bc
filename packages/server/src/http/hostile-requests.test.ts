import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { after, before, describe, test } from "node:test";
import { codeOf } from "../../../../test/support/https-client.ts";
import { readUntilClosed, sendRaw } from "../../../../test/support/raw-https.ts";
import {
  startTestService,
  type Customer,
  type TestService,
} from "../../../../test/support/service.ts";
import { securityHeaders } from "./security-headers.ts";

const me = "/api/v1/me";
const keys = "/api/v1/api-keys";
const good = { name: "k", scope: "read" };

describe("framework defaults that would break the contract", () => {
  let service: TestService;
  let ada: Customer;
  before(async () => {
    service = await startTestService("sqlite");
    ada = await service.register();
  });
  after(() => service.close());

  const raw = (lines: string[], body = "") =>
    sendRaw(service.url, service.ca, [...lines, "connection: close", "", body].join("\r\n"));
  const hostLine = () => `host: localhost:${new URL(service.url).port}`;
  const codeIn = (body: string) => (JSON.parse(body) as { error: { code: string } }).error.code;
  const withBody = (rawBody: string | Buffer, headers: Record<string, string> = {}) =>
    ada.send("POST", keys, { rawBody, headers });

  test("two Host headers are 400, equal or not, and so is none", async () => {
    for (const hosts of [[hostLine(), hostLine()], [hostLine(), "host: evil.example"], []]) {
      const answer = await raw([`GET ${me} HTTP/1.1`, ...hosts]);
      assert.equal(answer.status, 400);
      assert.equal(codeIn(answer.body), "bad_request");
    }
  });

  test("a Host that is not ours is 421, and localhost in any case is ours", async () => {
    for (const host of ["evil.example", "localhost", "localhost:1", "127.0.0.1.nip.io", ""]) {
      const answer = await raw([`GET /api/health HTTP/1.1`, `host: ${host}`]);
      assert.equal(codeIn(answer.body), "misdirected_request", host);
    }
    const port = new URL(service.url).port;
    for (const host of [`LocalHost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      assert.equal((await raw([`GET /api/health HTTP/1.1`, `host: ${host}`])).status, 200, host);
    }
  });

  test("an Origin must be exactly the one that the request was sent to", async () => {
    const port = new URL(service.url).port;
    const ask = (host: string, origin: string) =>
      raw([`GET /api/health HTTP/1.1`, `host: ${host}`, `origin: ${origin}`]);
    assert.equal((await ask(`localhost:${port}`, `https://localhost:${port}`)).status, 200);
    const foreign = [
      `http://localhost:${port}`,
      `https://localhost:${port}.evil.example`,
      `https://localhost`,
      `https://127.0.0.1:${port}`,
      `https://localhost:${port}/`,
      `https://localhost:${port}, https://localhost:${port}`,
      "null",
      "",
    ];
    for (const origin of foreign) {
      assert.equal((await ask(`localhost:${port}`, origin)).status, 403, origin);
    }
  });

  test("OPTIONS answers 405 with allow and never a CORS header, and 403 to a foreign Origin", async () => {
    const own = await ada.send("OPTIONS", keys);
    assert.equal(own.status, 405);
    assert.equal(own.headers.allow, "GET, HEAD, POST");
    const foreign = await ada.send("OPTIONS", keys, {
      headers: { origin: "https://evil.example" },
    });
    assert.equal(foreign.status, 403);
    for (const { headers } of [own, foreign]) {
      assert.ok(!Object.keys(headers).some((name) => name.startsWith("access-control-")));
    }
  });

  test("two Authorization headers are no key, on reads and on changes", async () => {
    const { json } = await ada.send("POST", keys, { body: good });
    const key = `authorization: Bearer ${json.key}`;
    for (const pair of [
      [key, key],
      [key, "authorization: Basic eA=="],
      ["authorization: Basic eA==", key],
    ]) {
      const read = await raw([`GET ${me} HTTP/1.1`, hostLine(), ...pair]);
      assert.equal(codeIn(read.body), "authentication_required");
      const change = await raw([
        `DELETE ${keys}/x HTTP/1.1`,
        hostLine(),
        `cookie: ${ada.cookie}`,
        ...pair,
      ]);
      assert.equal(codeIn(change.body), "api_key_forbidden");
    }
  });

  test("the same cookie twice is 401 session_invalid, in one header or in two", async () => {
    const [session, csrf] = ada.cookie.split("; ");
    for (const lines of [
      [`cookie: ${session}; ${ada.cookie}`],
      [`cookie: ${ada.cookie}`, `cookie: ${csrf}`],
    ]) {
      const answer = await raw([`GET ${me} HTTP/1.1`, hostLine(), ...lines]);
      assert.equal(codeIn(answer.body), "session_invalid");
    }
  });

  test("a doubled x-csrf-token is 403 csrf_failed", async () => {
    const token = `x-csrf-token: ${ada.csrfToken}`;
    const lines = [`DELETE ${keys}/x HTTP/1.1`, hostLine(), `cookie: ${ada.cookie}`, token];
    assert.equal(codeIn((await raw([...lines, token])).body), "csrf_failed");
    assert.equal(codeIn((await raw(lines)).body), "not_found");
  });

  test("only application/json in UTF-8 without an encoding is a body", async () => {
    const text = JSON.stringify(good);
    const refused = [
      "text/plain",
      "application/json; charset=utf-16",
      "application/jsonx",
      "application/json, text/plain",
      "application/x-www-form-urlencoded",
      "json",
      "",
    ];
    for (const type of refused) {
      assert.equal(
        codeOf(await withBody(text, { "content-type": type })),
        "unsupported_media_type",
        type,
      );
    }
    for (const type of [
      "application/json",
      "Application/JSON; Charset=UTF-8",
      'application/json;charset="utf-8"',
    ]) {
      assert.equal((await withBody(text, { "content-type": type })).status, 201, type);
    }
    const zipped = await withBody(gzipSync(text), { "content-encoding": "gzip" });
    assert.equal(codeOf(zipped), "unsupported_media_type");
  });

  test("a change without a body may leave the type out, but a wrong one is 415", async () => {
    const path = `${keys}/key_01hzzzzzzzzzzzzzzzzzzzzzzz`;
    assert.equal(codeOf(await ada.send("DELETE", path)), "not_found");
    assert.equal(
      codeOf(await ada.send("DELETE", path, { headers: { "content-type": "application/json" } })),
      "not_found",
    );
    assert.equal(codeOf(await ada.send("DELETE", path, { rawBody: "{}" })), "not_found");
    assert.equal(
      codeOf(await ada.send("DELETE", path, { headers: { "content-type": "text/plain" } })),
      "unsupported_media_type",
    );
    assert.equal(codeOf(await ada.send("DELETE", path, { body: { x: 1 } })), "validation_failed");
    assert.equal(codeOf(await ada.send("POST", keys)), "unsupported_media_type");
  });

  test("bodies that JSON readers disagree on are 400 invalid_json", async () => {
    const deep = `{"name":${"[".repeat(30_000)}${"]".repeat(30_000)}}`;
    const bad = [
      deep,
      '{"name":"a","name":"b","scope":"read"}',
      '{"name":"a","n\\u0061me":"b"}',
      "\ufeff{}",
      '{"name":1e999}',
      "[1,]",
      "",
      " ",
    ];
    for (const body of bad)
      assert.equal(codeOf(await withBody(body)), "invalid_json", body.slice(0, 40));
    assert.equal(
      codeOf(await withBody(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))),
      "invalid_json",
    );
  });

  test("a body that is no object is 400 validation_failed", async () => {
    for (const body of ["[]", "null", '"x"', "1"]) {
      const answer = await withBody(body);
      assert.equal(codeOf(answer), "validation_failed", body);
      assert.equal(answer.json.error.fields[0].field, "body");
    }
  });

  test("types are not coerced, unknown fields not dropped, NUL and lone surrogates not stored", async () => {
    const bodies: [unknown, string][] = [
      [{ name: 1, scope: "read" }, "name"],
      [{ ...good, extra: 1 }, "extra"],
      [{ ...good, name: "a\u0000b" }, "name"],
      [{ ...good, name: "a\ud800b" }, "name"],
    ];
    for (const [body, field] of bodies) {
      const answer = await ada.send("POST", keys, { body });
      assert.equal(codeOf(answer), "validation_failed");
      assert.deepEqual(
        answer.json.error.fields.map((entry: { field: string }) => entry.field),
        [field],
      );
    }
  });

  test("a chunked body over the limit is 413 however little was announced", async () => {
    const head = [
      `POST ${keys} HTTP/1.1`,
      hostLine(),
      `cookie: ${ada.cookie}`,
      `x-csrf-token: ${ada.csrfToken}`,
      "content-type: application/json",
      "transfer-encoding: chunked",
    ];
    const chunk = `${(66_000).toString(16)}\r\n${" ".repeat(66_000)}\r\n`;
    const answer = await raw(head, chunk);
    assert.equal(answer.status, 413);
    assert.equal(codeIn(answer.body), "payload_too_large");
  });

  test("a client that sends megabytes to a refusal still reads the refusal, and may go on", async () => {
    const rawBody = Buffer.alloc(3_000_000, " ");
    const refused = await Promise.all([
      service.send("POST", keys, { rawBody }),
      ada.send("POST", keys, { rawBody }),
      ada.send("POST", keys, { rawBody, headers: { "content-type": "text/plain" } }),
    ]);
    assert.deepEqual(
      refused.map((answer) => codeOf(answer)),
      ["authentication_required", "payload_too_large", "unsupported_media_type"],
    );
    assert.equal((await ada.send("GET", me)).status, 200);
  });

  test("HEAD answers as GET without a body", async () => {
    const [get, head] = [await ada.send("GET", me), await ada.send("HEAD", me)];
    assert.equal(head.status, 200);
    assert.equal(head.text, "");
    assert.equal(head.headers["content-length"], get.headers["content-length"]);
    assert.equal((await service.send("HEAD", me)).status, 401);
  });

  test("100-continue is granted only to a request that has passed everything before its body", async () => {
    const head = (cookie: string) => [
      `POST ${keys} HTTP/1.1`,
      hostLine(),
      cookie,
      `x-csrf-token: ${ada.csrfToken}`,
      "content-type: application/json",
      "content-length: 2",
      "expect: 100-continue",
    ];
    const refused = await raw(head("cookie: a=b"));
    assert.equal(refused.status, 401);
    const granted = await sendRaw(
      service.url,
      service.ca,
      [...head(`cookie: ${ada.cookie}`), "connection: close", "", "{}"].join("\r\n"),
    );
    assert.match(granted.head, /^HTTP\/1\.1 100 Continue/);
  });

  test("malformed HTTP is answered in our shape, with every security header", async () => {
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
        "another expectation",
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
        "a very long address",
        `GET /${"y".repeat(20_000)} HTTP/1.1\r\n${hostLine()}\r\n\r\n`,
        414,
        "uri_too_long",
      ],
      [
        "a long address",
        `GET /${"y".repeat(5_000)} HTTP/1.1\r\n${hostLine()}\r\n\r\n`,
        414,
        "uri_too_long",
      ],
      ["no TLS inside", Buffer.from([0, 1, 2, 3, 13, 10, 13, 10]), 400, "bad_request"],
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

  test("malformed HTTP after a good request on the same connection is answered too, after it", async () => {
    const good = `GET /api/health HTTP/1.1\r\n${hostLine()}\r\n\r\n`;
    for (const bad of ["BAD\r\n\r\n", `GET / HTTP/1.1\r\n${hostLine()}\r\nbad header\r\n\r\n`]) {
      const text = await readUntilClosed(service.url, service.ca, good + bad);
      assert.match(
        text,
        /^HTTP\/1\.1 200 OK[\s\S]*"status":"ok"[\s\S]*HTTP\/1\.1 400[\s\S]*"bad_request"/,
      );
    }
  });

  test("an address that is too long is 414 and headers that are too large 431, however long", async () => {
    for (const length of [17_000, 70_000, 200_000]) {
      const long = "y".repeat(length);
      const address = await raw([`GET /${long} HTTP/1.1`, hostLine()]);
      assert.equal(address.status, 414, `an address of ${length}`);
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

  test("every answer carries the security headers and no trace of what it was made with", async () => {
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
