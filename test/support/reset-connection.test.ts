import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { after, before, test } from "node:test";
import { resetConnection } from "./reset-connection.ts";

const listener = createServer({ pauseOnConnect: true });
before(async () => {
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
});
after(() => listener.close());

async function openPair(): Promise<{ near: Socket; far: Socket }> {
  const near = connect((listener.address() as AddressInfo).port, "127.0.0.1");
  const connected = once(near, "connect");
  const [far] = (await once(listener, "connection")) as [Socket];
  await connected;
  return { near, far };
}

test("an open connection is reset", async () => {
  const { near, far } = await openPair();
  far.resume();
  const failed = once(far, "error");
  resetConnection(near);
  const [error] = (await failed) as [NodeJS.ErrnoException];
  assert.equal(error.code, "ECONNRESET");
});

test("a connection that is shutting down is closed without an error", async () => {
  const { near, far } = await openPair();
  near.end();
  const closed = once(near, "close");
  resetConnection(near);
  assert.deepEqual(await closed, [false]);
  far.destroy();
});
