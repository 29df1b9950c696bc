import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { startIronleased, temporaryFolder, type Daemon } from "#test/daemon.ts";
import { stillOpen } from "./open-connections.ts";
import { until } from "./poll.ts";
import { openIdle, slowKinds, type SlowClient, type Target } from "./slow-clients.ts";

const skip = process.platform === "linux" ? false : "needs Linux's /proc/net/tcp";
const clientsPerKind = 4;
const connections = 30;

describe("slow clients", { skip, timeout: 120_000 }, () => {
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

  test("the service closes every slow connection and answers other clients meanwhile", async () => {
    const openers = Object.values(slowKinds).flatMap((open) =>
      Array.from({ length: clientsPerKind }, () => open),
    );
    const clients = await Promise.all(openers.map((open) => open(target)));
    await until("the service has closed all slow connections", async () => {
      assert.equal((await daemon.send("GET", "/api/health")).status, 200);
      return stillOpen(target.url, clients).length === 0;
    });
    for (const client of clients) client.destroy();
  });

  test("at the connection limit, the service closes idle connections to admit new clients", async () => {
    const idle: SlowClient[] = [];
    for (let index = 0; index < 2 * connections; index += 1) {
      // The service may refuse the connection that reaches the limit. A second attempt must succeed.
      idle.push(await openIdle(target).catch(() => openIdle(target)));
    }
    const open = stillOpen(target.url, idle).length;
    assert.ok(open > 0 && open <= connections, `${open} connections are open`);
    for (const client of idle) client.destroy();
  });
});
