import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import {
  createSessionClient,
  type Clock,
  type SessionClient,
} from "../../packages/client/src/index.ts";
import { createNodeFetch } from "../../packages/client/src/node.ts";
import { provisionServer } from "../../packages/server/src/features/desk/provision-server.ts";
import { addMachines } from "../../packages/server/src/kernel/machine-intake.ts";
import { addSubnet } from "../../packages/server/src/kernel/subnets.ts";
import { ok } from "../../packages/server/src/ports/result.ts";
import { adjust, order, stockUp } from "../support/rental-service.ts";
import {
  password,
  startTestService,
  testCertificate,
  type TestService,
} from "../support/service.ts";
import { startFaultProxy, type FaultProxy } from "./fault-proxy.ts";

/** A customer with money and a server, whose client speaks to the real service through the proxy. */
export interface Stage {
  readonly service: TestService;
  readonly proxy: FaultProxy;
  readonly client: SessionClient;
  readonly username: string;
  readonly accountId: string;
  /** One that is delivered and has addresses. */
  readonly serverId: string;
  close(): Promise<void>;
}

const timeoutMs = 60_000;

/**
 * Time that runs as it does, with waits that take none: a pause between two sendings is over at once,
 * and a sending times out when the proxy says that nothing more will come.
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

export async function setStage(): Promise<Stage> {
  const { certificatePath, keyPath, ca } = await testCertificate();
  const proxy = await startFaultProxy({
    key: readFileSync(keyPath, "utf8"),
    cert: readFileSync(certificatePath, "utf8"),
  });
  const service = await startTestService("sqlite", {
    clock: { now: () => Date.now() },
    settings: { IRONLEASE_TLS: "off", IRONLEASE_ORIGIN: proxy.url, IRONLEASE_AUTH_LIMITS: "off" },
  });
  proxy.serve(service.url);
  const fetch = createNodeFetch({ ca });
  const clock = proxyClock(proxy);
  const client = createSessionClient({
    ...{ baseUrl: proxy.url, fetch, clock, timeoutMs, deadlineMs: 10 * timeoutMs },
  });
  const username = "ada";
  await client.register({ username, password });
  const { core } = service;
  const accounts = core.db.read.selectFrom("accounts").select("id");
  const { id: accountId } = await accounts.executeTakeFirstOrThrow();
  await adjust(core, accountId, 1_000_000_00);
  await stockUp(core);
  const machines = Array.from({ length: 400 }, (_, index) => ({
    ...{ assetTag: `more-${index}`, configId: order.configId, regionId: order.regionId },
  }));
  const { serverIds } = await client.placeOrder(order);
  const serverId = serverIds[0] ?? assert.fail();
  const delivered = await core.db.write(async (tx) => {
    await addMachines(tx, core, machines);
    for (const cidr of ["203.0.113.0/24", "2001:db8::/32"]) {
      const added = await addSubnet(tx, core, { regionId: order.regionId, cidr });
      if (!added.ok) return added;
    }
    const provisioned = await provisionServer(tx, core, { serverId });
    return provisioned.ok ? ok() : provisioned;
  });
  assert.ok(delivered.ok);
  return {
    ...{ service, proxy, client, username, accountId, serverId },
    close: async () => {
      fetch.close();
      await proxy.close();
      await service.close();
    },
  };
}
