import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { temporaryFolder } from "#test/daemon.ts";
import { withTrace } from "#kernel/concurrency/trace.ts";
import { createMoneroRpc } from "./rpc.ts";

const { signal } = new AbortController();

async function serverOf(
  t: TestContext,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.closeAllConnections());
  t.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function loginFile(text: string): string {
  const file = join(temporaryFolder(), "login");
  writeFileSync(file, text);
  return file;
}

/** Answers only requests with the nonce of their own connection, as monero-wallet-rpc does. */
function digestServer() {
  const nonces = new Map<Socket, string>();
  const seen: string[] = [];
  return {
    seen,
    connections: nonces,
    answer: ({ headers, socket }: IncomingMessage, response: ServerResponse) => {
      const nonce = nonces.get(socket);
      if (nonce !== undefined && headers.authorization?.includes(`nonce="${nonce}"`) === true) {
        seen.push(/nc=(\d+)/.exec(headers.authorization)?.[1] ?? "");
        response.end('{"result": {}}');
        return;
      }
      const fresh = `nonce-${nonces.size}`;
      nonces.set(socket, fresh);
      response.statusCode = 401;
      const challenge = `Digest qop="auth",algorithm=MD5,realm="monero-rpc",nonce="${fresh}",stale=false`;
      response.setHeader("www-authenticate", challenge).end("no");
    },
  };
}

test("calls carry the trace of their own request, although they share a connection", async (t) => {
  const traces: unknown[] = [];
  const url = await serverOf(t, ({ headers }, response) => {
    traces.push(headers["traceparent"]);
    response.end('{"result": {}}');
  });
  const rpc = createMoneroRpc({ name: "The wallet", url });
  await Promise.all(
    ["00-a-b-01", undefined, "00-c-d-01"].map((trace) =>
      withTrace(trace, () => rpc.call("get_height", {}, signal)),
    ),
  );
  assert.deepEqual(traces, ["00-a-b-01", undefined, "00-c-d-01"]);
});

test("the login is made once for a connection, and calls at the same time share it", async (t) => {
  const server = digestServer();
  const url = await serverOf(t, server.answer);
  const rpc = createMoneroRpc({
    name: "The wallet",
    url,
    loginFile: loginFile("user:pass:word\n"),
  });
  await Promise.all([1, 2, 3].map(() => rpc.call("get_height", {}, signal)));
  assert.deepEqual(server.seen, ["00000001", "00000002", "00000003"]);
  assert.equal(server.connections.size, 1);
  // The server closes the connection. The next one has another nonce.
  for (const socket of server.connections.keys()) socket.destroy();
  await assert.doesNotReject(rpc.call("get_height", {}, signal));
  assert.deepEqual([server.seen.at(-1), server.connections.size], ["00000001", 2]);
});

test("a refused, missing or unreadable login is unavailable, and its secret is not quoted", async (t) => {
  const url = await serverOf(t, (_, response) => {
    response.statusCode = 401;
    response.setHeader("www-authenticate", 'Digest qop="auth",realm="r",nonce="n"').end();
  });
  const messageWith = async (file: string | undefined) => {
    const rpc = createMoneroRpc({ name: "The wallet", url, loginFile: file });
    const error: unknown = await rpc
      .call("get_height", {}, signal)
      .catch((caught: unknown) => caught);
    assert.equal((error as Error).name, "SettlementUnavailable");
    return (error as Error).message;
  };
  const refused = await messageWith(loginFile("user:secret"));
  assert.equal(refused, "The wallet refused the login. Check the login file.");
  assert.match(await messageWith(undefined), /wants a login/);
  assert.match(await messageWith("/nowhere/login"), /cannot be read \(ENOENT\)/);
  assert.match(await messageWith(loginFile("secret")), /must hold user:password/);
});

test("amounts above 2^53 are read exactly", async (t) => {
  const url = await serverOf(t, (_, response) =>
    response.end('{"result": {"amount": 18446744073709551615, "height": 7, "share": 0.5}}'),
  );
  const rpc = createMoneroRpc({ name: "The wallet", url });
  assert.deepEqual(await rpc.call("get_transfers", {}, signal), {
    amount: 18_446_744_073_709_551_615n,
    height: 7,
    share: 0.5,
  });
});

test("errors, malformed answers and silence are told apart", async (t) => {
  const answers = [
    '{"error": {"code": -13, "message": "No wallet file"}}',
    '{"error": {"code": -38, "message": "no connection to daemon"}}',
    "<html>",
    "[]",
  ];
  const url = await serverOf(t, (_, response) => {
    const answer = answers.shift();
    if (answer !== undefined) response.end(answer);
  });
  const rpc = createMoneroRpc({ name: "The wallet", url });
  const failed = { name: "SettlementFailed" };
  const unavailable = { name: "SettlementUnavailable" };
  await assert.rejects(rpc.call("a", {}, signal), { ...failed, code: -13 });
  await assert.rejects(rpc.call("b", {}, signal), unavailable);
  await assert.rejects(rpc.call("c", {}, signal), { ...failed, message: /no JSON/ });
  await assert.rejects(rpc.call("d", {}, signal), { ...failed, message: /than JSON-RPC/ });
  const silence = rpc.call("e", {}, AbortSignal.timeout(20));
  await assert.rejects(silence, { ...unavailable, message: /did not answer in time/ });
  const nowhere = createMoneroRpc({ name: "The wallet", url: "http://127.0.0.1:1" });
  await assert.rejects(nowhere.call("f", {}, signal), unavailable);
});
