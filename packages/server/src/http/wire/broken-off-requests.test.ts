import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { startTestService, type TestService } from "#test/service.ts";

/** Behind a proxy that ends TLS, where nothing but HTTP itself can end a connection. */
describe("a request that breaks off in its body", { timeout: 120_000 }, () => {
  let service: TestService;
  before(async () => {
    service = await startTestService("sqlite", { settings: { IRONLEASE_TLS: "off" } });
  });
  after(() => service.close());

  /** Sends bytes, says that no more will come, and gives what the service sent until it closed. */
  const sendAndEnd = (bytes: string) =>
    new Promise<string>((resolve, reject) => {
      const { port } = new URL(service.url);
      const socket = connect({ host: "127.0.0.1", port: Number(port), allowHalfOpen: true }, () =>
        socket.end(bytes),
      );
      let text = "";
      socket.on("data", (chunk: Buffer) => (text += chunk.toString()));
      socket.on("error", reject);
      socket.on("end", () => resolve(text));
    });

  const head = (...more: string[]) =>
    [
      "POST /api/v1/auth/register HTTP/1.1",
      `host: ${new URL(service.url).host}`,
      "content-type: application/json",
      ...more,
      "",
      "",
    ].join("\r\n");

  test("leaves no connection behind, and nothing done", async () => {
    const body = JSON.stringify({ username: "ada", password: "a long pass phrase" });
    const announced = head(`content-length: ${body.length}`);
    for (const part of ["", body.slice(0, 5), body.slice(0, -1)])
      await sendAndEnd(announced + part);
    const accounts = service.core.db.read.selectFrom("accounts").select("id");
    assert.deepEqual(await accounts.execute(), []);
  });

  test("is told so when its chunks are no chunks", async () => {
    const answer = await sendAndEnd(`${head("transfer-encoding: chunked")}zz\r\n`);
    assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.match(answer, /"code":"bad_request"/);
  });
});
