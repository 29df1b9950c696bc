import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { readUntilClosed } from "#test/raw-https.ts";
import { startTestService, type TestService } from "#test/service.ts";

describe("pipelined requests", { timeout: 180_000 }, () => {
  let service: TestService;
  before(async () => {
    service = await startTestService("sqlite");
  });
  after(() => service.close());

  const send = (count: number) => {
    const one = (more: string) =>
      `GET /api/openapi.json HTTP/1.1\r\nhost: ${new URL(service.url).host}\r\n${more}\r\n`;
    const requests = one("").repeat(count - 1) + one("connection: close\r\n");
    return readUntilClosed(service.url, service.ca, requests).catch(() => "");
  };
  const served = () => service.logged.filter((line) => line.includes('"status":200')).length;

  test("are all answered up to the limit of 32", async () => {
    const text = await send(32);
    assert.equal(text.split("HTTP/1.1 200 OK").length - 1, 32);
  });

  test("beyond the limit lose their connection before their answers fill the memory", async () => {
    const before = served();
    await send(200);
    assert.ok(served() - before < 50, `${served() - before} were served`);
  });
});
