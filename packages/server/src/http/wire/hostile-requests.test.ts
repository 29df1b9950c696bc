import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { codeIn, rawRequests } from "#test/raw-https.ts";
import { startTestService, type Customer, type TestService } from "#test/service.ts";

const me = "/api/v1/me";
const keys = "/api/v1/api-keys";
const good = { name: "k", scope: "read" };

describe("hostile requests", () => {
  let service: TestService;
  let ada: Customer;
  before(async () => {
    service = await startTestService("sqlite");
    ada = await service.register();
  });
  after(() => service.close());

  const { raw, hostLine } = rawRequests(() => service);

  test("a missing or duplicate Host header is 400, even with equal values", async () => {
    for (const hosts of [[hostLine(), hostLine()], [hostLine(), "host: evil.example"], []]) {
      const answer = await raw([`GET ${me} HTTP/1.1`, ...hosts]);
      assert.equal(answer.status, 400);
      assert.equal(codeIn(answer), "bad_request");
    }
  });

  test("a foreign Host is 421, and the loopback names are accepted in any case", async () => {
    for (const host of ["evil.example", "localhost", "localhost:1", "127.0.0.1.nip.io", ""]) {
      const answer = await raw([`GET /api/health HTTP/1.1`, `host: ${host}`]);
      assert.equal(codeIn(answer), "misdirected_request", host);
    }
    const port = new URL(service.url).port;
    for (const host of [`LocalHost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`]) {
      assert.equal((await raw([`GET /api/health HTTP/1.1`, `host: ${host}`])).status, 200, host);
    }
  });

  test("an Origin other than that of the requested Host is 403", async () => {
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

  test("OPTIONS is 405 with Allow, or 403 for a foreign Origin, and never has a CORS header", async () => {
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

  test("a Bearer among two Authorization headers is 401 on reads and api_key_forbidden on changes", async () => {
    const { json } = await ada.send("POST", keys, { body: good });
    const key = `authorization: Bearer ${json.key}`;
    for (const pair of [
      [key, key],
      [key, "authorization: Basic eA=="],
      ["authorization: Basic eA==", key],
    ]) {
      const read = await raw([`GET ${me} HTTP/1.1`, hostLine(), ...pair]);
      assert.equal(codeIn(read), "authentication_required");
      const change = await raw([
        `DELETE ${keys}/x HTTP/1.1`,
        hostLine(),
        `cookie: ${ada.cookie}`,
        ...pair,
      ]);
      assert.equal(codeIn(change), "api_key_forbidden");
    }
  });

  test("a duplicate cookie is 401 session_invalid, in one header or in two", async () => {
    const [session, csrf] = ada.cookie.split("; ");
    for (const lines of [
      [`cookie: ${session}; ${ada.cookie}`],
      [`cookie: ${ada.cookie}`, `cookie: ${csrf}`],
    ]) {
      const answer = await raw([`GET ${me} HTTP/1.1`, hostLine(), ...lines]);
      assert.equal(codeIn(answer), "session_invalid");
    }
  });

  test("a duplicate x-csrf-token is 403 csrf_failed", async () => {
    const token = `x-csrf-token: ${ada.csrfToken}`;
    const lines = [`DELETE ${keys}/x HTTP/1.1`, hostLine(), `cookie: ${ada.cookie}`, token];
    assert.equal(codeIn(await raw([...lines, token])), "csrf_failed");
    assert.equal(codeIn(await raw(lines)), "not_found");
  });

  test("HEAD answers like GET, without a body", async () => {
    const [get, head] = [await ada.send("GET", me), await ada.send("HEAD", me)];
    assert.equal(head.status, 200);
    assert.equal(head.text, "");
    assert.equal(head.headers["content-length"], get.headers["content-length"]);
    assert.equal((await service.send("HEAD", me)).status, 401);
  });
});
