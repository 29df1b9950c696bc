import assert from "node:assert/strict";
import { connect } from "node:net";
import { after, before, describe, test } from "node:test";
import { startTestService, type TestService } from "#test/service.ts";

/** TLS is off, as behind a proxy, so that only HTTP can end the connection. */
describe("a request aborted in its body", { timeout: 120_000 }, () => {
  let service: TestService;
  before(async () => {
    service = await startTestService("sqlite", { settings: { IRONLEASE_TLS: "off" } });
  });
  after(() => service.close());

  /** Sends the bytes, half-closes the connection, and resolves with everything the service sends. */
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

  test("leaves no open connection and has no effect", async () => {
    const body = JSON.stringify({ username: "ada", password: "a long pass phrase" });
    const announced = head(`content-length: ${body.length}`);
    for (const part of ["", body.slice(0, 5), body.slice(0, -1)])
      await sendAndEnd(announced + part);
    const accounts = service.core.db.read.selectFrom("accounts").select("id");
    assert.deepEqual(await accounts.execute(), []);
  });

  test("gets 400 bad_request if its chunked encoding is invalid", async () => {
    const answer = await sendAndEnd(`${head("transfer-encoding: chunked")}zz\r\n`);
    assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.match(answer, /"code":"bad_request"/);
  });
});
