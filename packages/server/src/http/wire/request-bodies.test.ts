import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { after, before, describe, test } from "node:test";
import { codeOf } from "#test/https-client.ts";
import { codeIn, rawRequests } from "#test/raw-https.ts";
import { startTestService, type Customer, type TestService } from "#test/service.ts";

const me = "/api/v1/me";
const keys = "/api/v1/api-keys";
const good = { name: "k", scope: "read" };

describe("request bodies", () => {
  let service: TestService;
  let ada: Customer;
  before(async () => {
    service = await startTestService("sqlite");
    ada = await service.register();
  });
  after(() => service.close());

  const { raw, hostLine } = rawRequests(() => service);
  const withBody = (rawBody: string | Buffer, headers: Record<string, string> = {}) =>
    ada.send("POST", keys, { rawBody, headers });

  test("any body but uncompressed application/json in UTF-8 is 415", async () => {
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

  test("a change without a body may omit the content type, but a wrong one is 415", async () => {
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

  test("JSON that parsers interpret differently is 400 invalid_json", async () => {
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

  test("a body other than an object is 400 validation_failed", async () => {
    for (const body of ["[]", "null", '"x"', "1"]) {
      const answer = await withBody(body);
      assert.equal(codeOf(answer), "validation_failed", body);
      assert.equal(answer.json.error.fields[0].field, "body");
    }
  });

  test("wrong types, unknown fields, NUL and lone surrogates are 400 validation_failed", async () => {
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

  test("a chunked body over the limit is 413", async () => {
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
    assert.equal(codeIn(answer), "payload_too_large");
  });

  test("a client that sends a refused body of 3 MB still gets the refusal", async () => {
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

  test("100 Continue is sent only after the checks before the body have passed", async () => {
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
    const granted = await raw(head(`cookie: ${ada.cookie}`), "{}");
    assert.match(granted.head, /^HTTP\/1\.1 100 Continue/);
  });
});
