import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import type pg from "pg";
import { coalescedPackets } from "./coalesced-packets.ts";

/** A driver that writes the text of each statement to its socket. */
function clientWith(wrap: (Client: typeof pg.Client) => typeof pg.Client) {
  const packets: string[] = [];
  const stream = new Writable({
    write: (chunk, _, done) => {
      packets.push(String(chunk));
      done();
    },
    writev: (chunks, done) => {
      packets.push(chunks.map(({ chunk }) => String(chunk)).join());
      done();
    },
  });
  class Client {
    readonly connection = { stream };
    query(text: string): void {
      stream.write(text);
    }
  }
  const Wrapped = wrap(Client as unknown as typeof pg.Client);
  return { packets, client: new Wrapped() };
}

const nextTurn = () => new Promise((done) => setImmediate(done));

async function send(client: pg.Client): Promise<void> {
  void client.query("begin");
  await Promise.resolve();
  void client.query("select");
  await nextTurn();
  void client.query("commit");
  await nextTurn();
}

test("statements of one turn leave in one packet, and those of the next turn in another", async () => {
  const { packets, client } = clientWith(coalescedPackets);
  await send(client);
  assert.deepEqual(packets, ["begin,select", "commit"]);
});

test("without the wrapper, each statement leaves in a packet of its own", async () => {
  const { packets, client } = clientWith((Client) => Client);
  await send(client);
  assert.deepEqual(packets, ["begin", "select", "commit"]);
});
