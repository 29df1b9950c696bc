import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createSessionClient, type Clock, type SessionClient } from "#client/index.ts";
import { createNodeFetch } from "#client/node.ts";
import type { Core } from "#server/kernel/core.ts";
import { addMachines } from "#server/kernel/machine-intake.ts";
import { noActionLimits } from "#test/no-action-limits.ts";
import { addPools, completeNow } from "#test/desk.ts";
import { adjust, order, stockUp } from "#test/rental-service.ts";
import { password, startTestService, testCertificate, type TestService } from "#test/service.ts";
import { valueOf } from "#test/use-cases.ts";
import { startFaultProxy, type FaultProxy } from "./fault-proxy.ts";

/** A customer with money and a server, whose client reaches the real service through the fault proxy. */
export interface ClientHarness {
  readonly service: TestService;
  readonly proxy: FaultProxy;
  readonly client: SessionClient;
  readonly username: string;
  readonly accountId: string;
  /** A delivered server with addresses. */
  readonly serverId: string;
  close(): Promise<void>;
}

const timeoutMs = 60_000;

/**
 * A clock whose waits take no time: a pause between two attempts ends at once, and an attempt times out when
 * the proxy reports a stall.
 */
function proxyClock(proxy: FaultProxy): Clock {
  const waiting = new Set<() => void>();
  proxy.onStall = () => {
    for (const timeOut of waiting) timeOut();
  };
  return {
    now: () => performance.now(),
    wait: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (ms < timeoutMs) return resolve();
        waiting.add(resolve);
        signal.addEventListener("abort", () => {
          waiting.delete(resolve);
          reject(new Error("the wait was ended"));
        });
      }),
  };
}

export async function startClientHarness(scheme: "http" | "https"): Promise<ClientHarness> {
  const { certificatePath, keyPath, ca } = await testCertificate();
  const tls = { key: readFileSync(keyPath, "utf8"), cert: readFileSync(certificatePath, "utf8") };
  const proxy = await startFaultProxy(scheme === "https" ? tls : undefined);
  const service = await startTestService("sqlite", {
    clock: { now: () => Date.now() },
    settings: {
      ...noActionLimits,
      IRONLEASE_TLS: "off",
      IRONLEASE_ORIGIN: proxy.url,
      IRONLEASE_AUTH_LIMITS: "off",
    },
  });
  proxy.serve(service.url);
  const fetch = createNodeFetch({ ca });
  const clock = proxyClock(proxy);
  const client = createSessionClient({
    baseUrl: proxy.url,
    fetch,
    clock,
    timeoutMs,
    deadlineMs: 10 * timeoutMs,
    // Waits take no time here, so the number of attempts decides when an outcome stays unknown.
    attempts: 4,
  });
  const username = "ada";
  await client.register({ username, password });
  const { core } = service;
  const accounts = core.db.read.selectFrom("accounts").select("id");
  const { id: accountId } = await accounts.executeTakeFirstOrThrow();
  await adjust(core, accountId, 1_000_000_00);
  await stockUp(core);
  const { serverIds } = await client.placeOrder(order);
  const serverId = serverIds[0] ?? assert.fail();
  await deliver(core, serverId);
  return {
    service,
    proxy,
    client,
    username,
    accountId,
    serverId,
    close: async () => {
      fetch.close();
      await proxy.close();
      await service.close();
    },
  };
}

/** Delivers the server as an operator, and adds machines for all later orders. */
async function deliver(core: Core, serverId: string): Promise<void> {
  const machines = Array.from({ length: 400 }, (_, index) => ({
    assetTag: `more-${index}`,
    configId: order.configId,
    regionId: order.regionId,
  }));
  await valueOf(core.db.write((tx) => addMachines({ tx, core }, machines)));
  await addPools(core, order.regionId);
  const { id } = await core.db.read
    .selectFrom("work")
    .select("id")
    .where("server_id", "=", serverId)
    .executeTakeFirstOrThrow();
  await completeNow(core, id);
}
