import assert from "node:assert/strict";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { startIronleased, temporaryFolder } from "#test/daemon.ts";
import { findFreePort } from "#test/free-port.ts";
import { codeOf, httpsClient, type Send } from "#test/https-client.ts";
import { startTestService, testCertificate } from "#test/service.ts";

test("the preview's operator can sign in as soon as /readyz is 200", async () => {
  const port = await findFreePort();
  const data = temporaryFolder();
  const starting = startIronleased("preview", {
    IRONLEASE_DATA: data,
    IRONLEASE_OPERATOR_LISTEN: `127.0.0.1:${port}`,
    IRONLEASE_OPERATOR_PASSWORD: "a configured pass phrase",
  });
  const failed = new AbortController();
  starting.catch(() => failed.abort());
  const send = sender(data, port);
  try {
    const isReady = async () =>
      (await send("GET", "/readyz").catch(() => undefined))?.status === 200;
    while (!(await isReady())) await delay(1, undefined, { signal: failed.signal });
    const answer = await send("POST", "/operator/v1/auth/login", {
      body: { username: "operator", password: "a configured pass phrase" },
    });
    assert.equal(answer.status, 200, answer.text);
  } finally {
    await (await starting).stop();
  }
});

test("/readyz is 503 while the last start-up step runs", async () => {
  const { ca } = await testCertificate();
  let whileStarting: unknown;
  const service = await startTestService("sqlite", {
    beforeReady: async ({ operatorUrl = "" }) => {
      const client = httpsClient(operatorUrl, ca);
      const health = await client.send("GET", "/healthz");
      const ready = await client.send("GET", "/readyz");
      whileStarting = [health.status, ready.status, codeOf(ready)];
      client.close();
    },
  });
  try {
    assert.deepEqual(whileStarting, [200, 503, "service_unavailable"]);
    assert.equal((await service.sendToDesk("GET", "/readyz")).status, 200);
  } finally {
    await service.close();
  }
});

test("a failed last start-up step aborts the start and closes the listeners", async () => {
  const port = await findFreePort();
  const options = {
    settings: { IRONLEASE_LISTEN: `127.0.0.1:${port}` },
    beforeReady: () => Promise.reject(new Error("the last step failed")),
  };
  await assert.rejects(startTestService("sqlite", options), /the last step failed/);
  const again = createServer().listen(port, "127.0.0.1");
  await once(again, "listening");
  again.close();
});

/** Reads the CA certificate for each request, because the daemon creates it during start-up. */
function sender(data: string, port: number): Send {
  return async (...request) => {
    const ca = readFileSync(join(data, "tls", "ca.pem"), "utf8");
    const client = httpsClient(`https://localhost:${port}`, ca);
    return client.send(...request).finally(() => client.close());
  };
}
