import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { inspect } from "node:util";
import {
  startScriptedNode,
  type NodeCall,
  type RequestHandler,
  type ScriptedNode,
} from "#test/scripted-node.ts";
import { withTrace } from "#kernel/concurrency/trace.ts";
import { SettlementFailed, SettlementUnavailable } from "#ports/settlement.ts";
import { createJsonRpc, RpcRefusal, type JsonRpc } from "./json-rpc.ts";

const { signal } = new AbortController();
const secret = "hunter2-secret";
let folder: string;
let passwordFile: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "ironlease-rpc-"));
  passwordFile = join(folder, "password");
  await writeFile(passwordFile, `${secret}\n`);
});
after(() => rm(folder, { recursive: true }));

test("a batch is one request, and its answers keep the order of the calls", async (t) => {
  const { rpc, node } = await open(t, ({ params: [value] }) =>
    value === 2 ? { error: { code: -5, message: "two" } } : { result: value },
  );
  const answers = await rpc.batch(
    [1, 2, 3].map((value) => ({ method: "echo", params: [value] })),
    signal,
  );
  const shown = answers.map((answer) => ("error" in answer ? answer.error.code : answer.result));
  assert.deepEqual(shown, [1, -5, 3]);
  assert.equal(node.authorizations.length, 1);
  assert.deepEqual(await rpc.batch([], signal), []);
});

test("a call that a request causes carries the request's trace", async (t) => {
  const { rpc, node } = await open(t, () => ({ result: 1 }));
  await withTrace("00-a-b-01", () => rpc.call("echo", [], signal));
  await rpc.call("echo", [], signal);
  assert.deepEqual(node.traces, ["00-a-b-01", undefined]);
});

test("an error of the node has its code, and names the network and the call", async (t) => {
  const { rpc } = await open(t, () => ({ error: { code: -8, message: "out of range" } }));
  await assert.rejects(rpc.call("getblockhash", [9], signal), (error) => {
    assert.ok(error instanceof RpcRefusal && error instanceof SettlementFailed);
    assert.equal(error.code, -8);
    assert.match(error.message, /^testcoin answered getblockhash with error -8: out of range$/);
    return true;
  });
});

test("answers in the form of JSON-RPC 1 and 2 are read alike", async (t) => {
  const { rpc } = await open(t, ({ method }) =>
    method === "old" ? { result: 1, error: null } : { result: 2 },
  );
  assert.equal(await rpc.call("old", [], signal), 1);
  assert.equal(await rpc.call("new", [], signal), 2);
});

test("a node that is loading its blocks is unavailable", async (t) => {
  const { rpc } = await open(t, () => ({ error: { code: -28, message: "Loading block index…" } }));
  const call = [{ method: "getblockcount", params: [] }];
  const starting = unavailable(/^testcoin is starting: Loading block index/);
  await assert.rejects(rpc.call("getblockcount", [], signal), starting);
  await assert.rejects(rpc.batch(call, signal), starting);
});

test("a stopped node is unavailable", async (t) => {
  const { rpc, node } = await open(t, () => ({ result: 1 }));
  await node.stop();
  await assert.rejects(
    rpc.call("getblockcount", [], signal),
    unavailable(/testcoin cannot be reached \(ECONNREFUSED\)/),
  );
});

test("refused credentials are unavailable, and the error does not contain them", async (t) => {
  const { rpc } = await open(t, undefined, respond(401));
  await assert.rejects(rpc.call("getblockcount", [], signal), (error) => {
    assert.ok(error instanceof SettlementUnavailable);
    assert.match(error.message, /testcoin refused the RPC credentials/);
    const encoded = Buffer.from(`user:${secret}`).toString("base64");
    for (const text of [secret, encoded]) assert.ok(!inspect(error).includes(text));
    return true;
  });
});

test("a password that changed on disk is used after the node refuses the old one", async (t) => {
  const file = join(folder, "changing");
  await writeFile(file, "old");
  const changed = `Basic ${Buffer.from("user:new").toString("base64")}`;
  let isRotated = false;
  const node = await startScriptedNode(
    () => ({ result: 7 }),
    ({ headers }, response) => {
      if (!isRotated || headers.authorization === changed) return false;
      return respond(401)(undefined, response);
    },
  );
  t.after(() => node.stop());
  const rpc = rpcOf(node.url, file);
  assert.equal(await rpc.call("getblockcount", [], signal), 7);
  await writeFile(file, "new");
  isRotated = true;
  assert.equal(await rpc.call("getblockcount", [], signal), 7);
  assert.equal(node.authorizations.length, 3);
});

test("a missing credentials file is unavailable, and named by its error code only", async (t) => {
  const { node } = await open(t, () => ({ result: 1 }));
  const rpc = rpcOf(node.url, join(folder, "absent"));
  await assert.rejects(
    rpc.call("getblockcount", [], signal),
    unavailable(/credentials of testcoin cannot be read \(ENOENT\)/),
  );
  assert.equal(node.authorizations.length, 0);
});

test("a call ends with the caller's error when the deadline passes before the answer", async (t) => {
  const deadline = new AbortController();
  const late = new SettlementUnavailable("testcoin did not answer within 5 ms");
  const { rpc } = await open(t, undefined, () => {
    deadline.abort(late);
    return true;
  });
  await assert.rejects(rpc.call("getblockcount", [], deadline.signal), (error) => error === late);
});

test("an abort in the middle of an answer is unavailable", async (t) => {
  const deadline = new AbortController();
  const { rpc } = await open(t, undefined, (_, response) => {
    response.write('{"result":');
    response.flushHeaders();
    setImmediate(() => deadline.abort());
    return true;
  });
  await assert.rejects(
    rpc.call("getblockcount", [], deadline.signal),
    unavailable(/testcoin did not answer in time/),
  );
});

test("an answer that breaks off is unavailable", async (t) => {
  const { rpc } = await open(t, undefined, (_, response) => {
    response.writeHead(200, { "content-length": "100" });
    response.write('{"result":', () => response.destroy());
    return true;
  });
  await assert.rejects(rpc.call("x", [], signal), unavailable(/testcoin cannot be reached/));
});

test("an answer of more than 64 MiB is refused", async (t) => {
  const chunk = Buffer.alloc(1024 * 1024, " ");
  const { rpc } = await open(t, undefined, (_, response) => {
    const send = (): void => {
      while (response.write(chunk));
      response.once("drain", send);
    };
    send();
    return true;
  });
  await assert.rejects(rpc.call("getblock", [], signal), failed(/more than 67108864 bytes/));
});

test("a redirect is not followed", async (t) => {
  const target = await open(t, () => ({ result: 1 }));
  const { rpc } = await open(t, undefined, (_, response) => {
    response.writeHead(307, { location: target.node.url }).end();
    return true;
  });
  await assert.rejects(rpc.call("getblockcount", [], signal), failed(/HTTP status 307/));
  assert.deepEqual(target.node.authorizations, []);
});

for (const [title, status, body, error] of [
  ["a full work queue", 503, "Work queue depth exceeded", unavailable(/HTTP status 503/)],
  ["a gateway in front of a stopped node", 502, "<html>", unavailable(/HTTP status 502/)],
  ["an address that the node does not allow", 403, "", unavailable(/refused the connection/)],
  ["a page in place of JSON", 200, "<html>", failed(/HTTP status 200 and no JSON/)],
  ["JSON without a result", 200, "{}", failed(/something else than JSON-RPC/)],
  ["JSON that is no object", 200, "[]", failed(/something else than JSON-RPC/)],
  ["an error without a code", 500, '{"error":"x"}', failed(/something else than JSON-RPC/)],
] as const) {
  test(`${title} is reported as what it is`, async (t) => {
    const { rpc } = await open(t, undefined, respond(status, body));
    await assert.rejects(rpc.call("getblockcount", [], signal), error);
    const batch = [{ method: "getblockcount", params: [] }];
    await assert.rejects(rpc.batch(batch, signal), error);
  });
}

test("a node without credentials gets no authorization, and is told when it asks for one", async (t) => {
  const node = await startScriptedNode(() => ({ result: 1 }));
  t.after(() => node.stop());
  const bare = { network: "testcoin", version: "2.0", credentials: undefined } as const;
  assert.equal(await createJsonRpc({ ...bare, url: node.url }).call("echo", [], signal), 1);
  assert.deepEqual(node.authorizations, [undefined]);
  const { node: closed } = await open(t, undefined, respond(401));
  const rpc = createJsonRpc({ ...bare, url: closed.url });
  await assert.rejects(rpc.call("echo", [], signal), unavailable(/asks for RPC credentials/));
});

async function open(
  t: { after: (end: () => Promise<void>) => void },
  answer: ((call: NodeCall) => { result: unknown } | { error: unknown }) | undefined,
  handle?: RequestHandler,
): Promise<{ rpc: JsonRpc; node: ScriptedNode }> {
  const node = await startScriptedNode(answer ?? (() => ({ result: null })), handle);
  let isStopped = false;
  const stop = async (): Promise<void> => {
    if (!isStopped) await node.stop();
    isStopped = true;
  };
  t.after(stop);
  return { rpc: rpcOf(node.url, passwordFile), node: { ...node, stop } };
}

function rpcOf(url: string, passwordFile: string): JsonRpc {
  const credentials = { user: "user", passwordFile };
  return createJsonRpc({ network: "testcoin", version: "1.0", url, credentials });
}

function respond(status: number, body = "") {
  return (_: unknown, response: ServerResponse): boolean => {
    response.writeHead(status).end(body);
    return true;
  };
}

function unavailable(message: RegExp) {
  return (error: unknown) => error instanceof SettlementUnavailable && message.test(error.message);
}

function failed(message: RegExp) {
  return (error: unknown) => error instanceof SettlementFailed && message.test(error.message);
}
