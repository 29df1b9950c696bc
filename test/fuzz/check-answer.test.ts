import assert from "node:assert/strict";
import { test } from "node:test";
import { operations } from "@ironlease/contract";
import { openApiDocument } from "@ironlease/reference";
import { securityHeaders } from "#server/http/answers/security-headers.ts";
import { memoryGrowth } from "./memory-growth.ts";
import { MalformedAnswer, takeAnswer, type WireAnswer } from "./http-answers.ts";
import { faultsOf } from "./check-answer.ts";
import { hostileTexts } from "./mutations/mutation.ts";
import { OpenApiOracle, type OpenApi } from "./openapi-oracle.ts";

const oracle = new OpenApiOracle(openApiDocument("1", operations) as unknown as OpenApi);
const requestId = "req_6f1c2f0e-9d53-4c1b-8a53-3d6f2b8f4e7a";
const me = { method: "GET", path: "/api/v1/me" };
const account = { username: "ada", balanceUsd: 1.5, csrfToken: "t" };

interface Sent {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** An answer with the service's usual headers, unless overridden. */
function answerOf({ status, body, headers = {} }: Sent): WireAnswer {
  const all = {
    ...securityHeaders,
    "x-request-id": requestId,
    "content-type": "application/json; charset=utf-8",
    ...headers,
  };
  return {
    status,
    statusLine: `HTTP/1.1 ${status} X`,
    headers: Object.entries(all).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    ),
    body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
  };
}

const refusal = (code: string, more: object = {}) => ({
  error: { code, message: "Do something else.", requestId, ...more },
});

test("answers that match the document have no faults", () => {
  assert.deepEqual(faultsOf(oracle, me, answerOf({ status: 200, body: account })), []);
  const refused = answerOf({
    status: 401,
    body: refusal("authentication_required"),
    headers: { "www-authenticate": "Bearer" },
  });
  assert.deepEqual(faultsOf(oracle, me, refused), []);
  const notFound = answerOf({ status: 404, body: refusal("not_found") });
  assert.deepEqual(faultsOf(oracle, { method: "GET", path: "/api/v1/you" }, notFound), []);
});

const faultyAnswers: readonly (readonly [title: string, sent: Sent, requestLine?: typeof me])[] = [
  ["a 500", { status: 500, body: refusal("internal_error") }],
  ["an undocumented status", { status: 409, body: refusal("conflict") }],
  ["a code that the operation does not have", { status: 403, body: refusal("csrf_failed") }],
  ["an undocumented field", { status: 200, body: { ...account, id: 1 } }],
  ["a field of another type", { status: 200, body: { ...account, balanceUsd: "1.5" } }],
  ["a missing field", { status: 200, body: { username: "ada", balanceUsd: 1 } }],
  ["a body that is not JSON", { status: 200, body: "<html>" }],
  [
    "a content type other than JSON",
    { status: 200, body: account, headers: { "content-type": "text/html" } },
  ],
  ["a missing request id", { status: 200, body: account, headers: { "x-request-id": undefined } }],
  ["a cacheable answer", { status: 200, body: account, headers: { "cache-control": "public" } }],
  ["an undocumented header", { status: 200, body: account, headers: { "x-powered-by": "x" } }],
  ["401 without www-authenticate", { status: 401, body: refusal("authentication_required") }],
  [
    "another request id in the body",
    { status: 403, body: refusal("insufficient_scope", { requestId: "req_x" }) },
  ],
  [
    "an internal detail in the message",
    { status: 403, body: refusal("insufficient_scope", { message: "SQLITE_BUSY" }) },
  ],
  [
    "405 without allow",
    { status: 405, body: refusal("method_not_allowed") },
    { ...me, method: "PUT" },
  ],
  [
    "a 2xx for an undocumented path",
    { status: 200, body: account },
    { method: "GET", path: "/api/v1/you" },
  ],
  ["a body in an answer to HEAD", { status: 200, body: account }, { ...me, method: "HEAD" }],
];

for (const [title, sent, requestLine = me] of faultyAnswers) {
  test(`${title} is a fault`, () => {
    assert.notDeepEqual(faultsOf(oracle, requestLine, answerOf(sent)), []);
  });
}

test("a refusal that quotes what the fuzzer sends has no faults", () => {
  for (const text of hostileTexts.filter(({ length }) => length < 500)) {
    const message = `${JSON.stringify(text)} is not a network.`;
    const refused = answerOf({ status: 403, body: refusal("insufficient_scope", { message }) });
    assert.deepEqual(faultsOf(oracle, me, refused), [], message);
  }
});

test("an answer needs a status line, a content length and the whole body", () => {
  const good = Buffer.from("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}rest");
  assert.equal(takeAnswer(good, "GET")?.rest.toString(), "rest");
  assert.equal(takeAnswer(good.subarray(0, -5), "GET"), undefined);
  const malformed = [
    "200 OK\r\n\r\n",
    "HTTP/1.1 200 OK\r\n\r\n",
    "HTTP/1.1 200 OK\r\nbad header\r\n\r\n",
  ];
  for (const text of malformed) {
    assert.throws(() => takeAnswer(Buffer.from(text), "GET"), MalformedAnswer);
  }
});

test("a streamed answer to an old version of HTTP ends with the connection", () => {
  const streamed = Buffer.from("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\na,b");
  assert.equal(takeAnswer(streamed, "GET"), undefined);
  assert.equal(takeAnswer(streamed, "GET", true)?.answer.body.toString(), "a,b");
});

test("memory growth per request exceeds the limit, warm-up does not", () => {
  const mib = 2 ** 20;
  assert.equal(memoryGrowth([40, 42, 43, 43].map((size) => size * mib)).isTooMuch, false);
  assert.equal(memoryGrowth([40, 47, 54, 61].map((size) => size * mib)).isTooMuch, true);
});
