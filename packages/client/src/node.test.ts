import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { connect } from "node:tls";
import { startTestService, type TestService } from "#test/service.ts";
import { ConnectionError, createSessionClient, OutcomeUnknown } from "./index.ts";
import { createNodeFetch, type NodeFetchOptions } from "./node.ts";

describe("the Node transport", () => {
  let service: TestService;
  let fingerprint256: string;
  before(async () => {
    service = await startTestService("sqlite");
    fingerprint256 = await fingerprintOf(service);
  });
  after(() => service.close());

  /** The result or error of a change that is never retried, so that a retry cannot hide a failure. */
  async function register(trust: NodeFetchOptions): Promise<unknown> {
    const fetch = createNodeFetch(trust);
    try {
      const client = createSessionClient({ baseUrl: service.url, fetch });
      const username = `someone${Math.round(performance.now() * 1_000)}`;
      return await client.register({ username, password: "a long pass phrase" });
    } catch (error) {
      return error;
    } finally {
      fetch.close();
    }
  }

  test("trusts a certificate of the given authority", async () => {
    assert.ok("recoveryCode" in ((await register({ ca: service.ca })) as object));
  });

  test("trusts a pinned certificate without its authority", async () => {
    assert.ok("recoveryCode" in ((await register({ fingerprint256 })) as object));
    const plain = fingerprint256.replaceAll(":", "").toLowerCase();
    assert.ok("recoveryCode" in ((await register({ fingerprint256: plain })) as object));
  });

  test("sends nothing to a server with any other certificate", async () => {
    const other = `00${fingerprint256.slice(2)}`;
    for (const trust of [
      {},
      { fingerprint256: other },
      { ca: service.ca, fingerprint256: other },
      { fingerprint256: "" },
    ]) {
      const logged = service.logged.length;
      const error = await register(trust);
      assert.ok(error instanceof ConnectionError && !(error instanceof OutcomeUnknown));
      assert.equal(service.logged.length, logged);
    }
  });
});

function fingerprintOf(service: TestService): Promise<string> {
  const { port } = new URL(service.url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port: Number(port), ca: service.ca });
    socket.on("error", reject);
    socket.on("secureConnect", () => {
      resolve(socket.getPeerX509Certificate()?.fingerprint256 ?? "");
      socket.destroy();
    });
  });
}
