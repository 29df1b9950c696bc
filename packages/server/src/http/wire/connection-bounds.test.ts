import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { readUntilClosed } from "#test/raw-https.ts";
import { startTestService, type TestService } from "#test/service.ts";

describe("requests that do not wait for answers", { timeout: 180_000 }, () => {
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

  test("are answered in order as long as they are few", async () => {
    const text = await send(32);
    assert.equal(text.split("HTTP/1.1 200 OK").length - 1, 32);
  });

  test("lose their connection when they are many, before their answers fill the memory", async () => {
    const before = served();
    await send(200);
    assert.ok(served() - before < 50, `${served() - before} were served`);
  });
});
