import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { startIronleased, temporaryFolder, type Daemon } from "#test/daemon.ts";
import { stillHeld } from "./held-connections.ts";
import { until } from "./poll.ts";
import { openIdle, slowKinds, type SlowClient, type Target } from "./slow-clients.ts";

const skip = process.platform === "linux" ? false : "only Linux tells which connections are held";
const eachKind = 4;
const connections = 30;

describe("clients that hold on to connections", { skip, timeout: 120_000 }, () => {
  let daemon: Daemon;
  let target: Target;

  before(async () => {
    const IRONLEASE_DATA = temporaryFolder();
    daemon = await startIronleased("preview", {
      IRONLEASE_DATA,
      IRONLEASE_CONNECTIONS: String(connections),
      IRONLEASE_ARRIVAL: "5s",
      IRONLEASE_SILENCE: "5s",
    });
    const ca = readFileSync(join(IRONLEASE_DATA, "tls", "ca.pem"), "utf8");
    target = { url: daemon.url, ca };
  });
  after(() => daemon.stop());

  test("each is let go within its bound, and others are answered meanwhile", async () => {
    const openers = Object.values(slowKinds).flatMap((open) =>
      Array.from({ length: eachKind }, () => open),
    );
    const clients = await Promise.all(openers.map((open) => open(target)));
    await until("all are let go", async () => {
      assert.equal((await daemon.send("GET", "/api/health")).status, 200);
      return stillHeld(target.url, clients).length === 0;
    });
    for (const client of clients) client.destroy();
  });

  test("when all connections are taken, idle ones make room for whoever comes", async () => {
    const idle: SlowClient[] = [];
    for (let index = 0; index < 2 * connections; index += 1) {
      // One that is turned away finds room when it comes again.
      idle.push(await openIdle(target).catch(() => openIdle(target)));
    }
    const held = stillHeld(target.url, idle).length;
    assert.ok(held > 0 && held <= connections, `${held} are held`);
    for (const client of idle) client.destroy();
  });
});
