import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { OutcomeUnknown } from "#client/index.ts";
import { password } from "#test/service.ts";
import { kinds } from "./draw-faults.ts";
import { startClientHarness, type ClientHarness } from "./client-harness.ts";

/** Without an idempotency key, the service cannot detect a request that the network duplicated. */
const faults = kinds.map((kind) => kind(0.5)).filter(({ kind }) => kind !== "twice");
const publicKey =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8QyX8rPzUmBqfaL1QvZ0pQ6QbYk2xS1zV2hYb3n4Aa";

/** Changes without an idempotency key, with every kind of fault in their first request. */
describe("a change without an idempotency key, with every kind of fault", () => {
  let harness: ClientHarness;
  before(async () => {
    harness = await startClientHarness("https");
  });
  after(() => harness.close());

  /** Runs a function once for each kind of fault. The fault affects its first request. */
  async function withEveryFault(run: (fault: string) => Promise<void>): Promise<void> {
    for (const fault of faults) {
      harness.proxy.faults = [fault];
      harness.proxy.requests.length = 0;
      await run(JSON.stringify(fault));
      harness.proxy.faults = [];
      await harness.proxy.deliverLate();
    }
  }

  const attempts = (start: string) =>
    harness.proxy.requests.filter((request) => request.toString("latin1").startsWith(start)).length;

  test("createApiKey and addSshKey are sent once and either succeed or throw OutcomeUnknown", async () => {
    const { client, service } = harness;
    const calls = [
      { table: "api_keys", create: (name: string) => client.createApiKey({ name, scope: "read" }) },
      { table: "ssh_keys", create: (name: string) => client.addSshKey({ name, publicKey }) },
    ] as const;
    for (const { table, create } of calls) {
      const stored: { id: string; name: string }[] = [];
      // Deletes the stored rows, so that the account never reaches its limit.
      const collect = () =>
        service.core.db.write(async (tx) => {
          stored.push(...(await tx.deleteFrom(table).returning(["id", "name"]).execute()));
          return { ok: true, value: undefined };
        });
      const answered = new Map<string, string>();
      let run = 0;
      await withEveryFault(async (fault) => {
        const name = `key-${(run += 1)}`;
        const outcome: unknown = await create(name).catch((error: unknown) => error);
        assert.equal(attempts("POST"), 1, fault);
        if (!(outcome instanceof OutcomeUnknown)) {
          answered.set(name, (outcome as { id: string }).id);
        }
        await collect();
      });
      await collect();
      const names = stored.map(({ name }) => name);
      assert.equal(new Set(names).size, names.length, "a key was created twice");
      for (const [name, id] of answered) {
        assert.equal(stored.find((one) => one.name === name)?.id, id, "an answered key is missing");
      }
      assert.ok(answered.size > 0 && answered.size < faults.length);
    }
  });

  test("setRenewal always ends with the requested value", async () => {
    const { client, serverId } = harness;
    let autoRenew = true;
    await withEveryFault(async (fault) => {
      autoRenew = !autoRenew;
      const server = await client.setRenewal({ id: serverId, autoRenew });
      assert.equal(server.autoRenew, autoRenew, fault);
      assert.equal((await client.readServer({ id: serverId })).autoRenew, autoRenew, fault);
    });
  });

  test("setReverseDns always ends with the requested name", async () => {
    const { client } = harness;
    const { assignments } = await client.listAssignments();
    const { id } = assignments[0] ?? assert.fail();
    let run = 0;
    await withEveryFault(async (fault) => {
      const ptr = `host${(run += 1)}.example.com`;
      assert.deepEqual(await client.setReverseDns({ id, ptr }), { id, ptr }, fault);
    });
  });

  test("revokeApiKey always removes the key, even if only the retry is answered", async () => {
    const { client } = harness;
    await withEveryFault(async (context) => {
      const [fault, ...rest] = harness.proxy.faults;
      harness.proxy.faults = rest;
      const { id } = await client.createApiKey({ name: "short-lived", scope: "read" });
      harness.proxy.faults = fault === undefined ? [] : [fault];
      assert.equal(await client.revokeApiKey({ id }), undefined, context);
      const { apiKeys } = await client.listApiKeys();
      assert.ok(!apiKeys.some((key) => key.id === id), context);
    });
  });

  test("signOut and signIn always succeed and leave a valid session", async () => {
    const { client, proxy, username } = harness;
    for (const fault of faults.filter((_, index) => index % 7 === 0)) {
      const context = JSON.stringify(fault);
      proxy.faults = [fault];
      await client.signOut();
      assert.equal(client.session.export(), undefined, context);
      proxy.faults = [fault];
      await client.signIn({ username, password });
      proxy.faults = [];
      await client.setRenewal({ id: harness.serverId, autoRenew: true });
      await proxy.deliverLate();
    }
  });
});
