import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { OutcomeUnknown } from "#client/index.ts";
import { password } from "#test/service.ts";
import { kinds } from "./draw.ts";
import { setStage, type Stage } from "./stage.ts";

/** Without a key, nobody can tell two copies apart that something on the way has made of one. */
const faults = kinds.map((kind) => kind(0.5)).filter(({ kind }) => kind !== "twice");
const publicKey =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8QyX8rPzUmBqfaL1QvZ0pQ6QbYk2xS1zV2hYb3n4Aa";

/** Changes that take no key, through everything that can go wrong with one request. */
describe("a change without a key, whatever goes wrong", () => {
  let stage: Stage;
  before(async () => {
    stage = await setStage("https");
  });
  after(() => stage.close());

  /** Runs something once for each kind of fault, which hits its first request. */
  async function throughEverything(run: (told: string) => Promise<void>): Promise<void> {
    for (const fault of faults) {
      stage.proxy.faults = [fault];
      stage.proxy.requests.length = 0;
      await run(JSON.stringify(fault));
      stage.proxy.faults = [];
      await stage.proxy.deliverLate();
    }
  }

  const sendings = (start: string) =>
    stage.proxy.requests.filter((request) => request.toString("latin1").startsWith(start)).length;

  test("creating a key or saving one is sent once: done, or said to be unknown", async () => {
    const { client, service } = stage;
    const makers = [
      { table: "api_keys", make: (name: string) => client.createApiKey({ name, scope: "read" }) },
      { table: "ssh_keys", make: (name: string) => client.addSshKey({ name, publicKey }) },
    ] as const;
    for (const { table, make } of makers) {
      const made: { id: string; name: string }[] = [];
      // Takes away what was made, so that the account never has as many as it may have.
      const collect = () =>
        service.core.db.write(async (tx) => {
          made.push(...(await tx.deleteFrom(table).returning(["id", "name"]).execute()));
          return { ok: true, value: undefined };
        });
      const told = new Map<string, string>();
      let run = 0;
      await throughEverything(async (fault) => {
        const name = `key-${(run += 1)}`;
        const outcome: unknown = await make(name).catch((error: unknown) => error);
        assert.equal(sendings("POST"), 1, fault);
        if (!(outcome instanceof OutcomeUnknown)) told.set(name, (outcome as { id: string }).id);
        await collect();
      });
      await collect();
      const names = made.map(({ name }) => name);
      assert.equal(new Set(names).size, names.length, "one was made twice");
      for (const [name, id] of told) {
        assert.equal(made.find((one) => one.name === name)?.id, id, "what was told is not there");
      }
      assert.ok(told.size > 0 && told.size < faults.length);
    }
  });

  test("a setting ends as it was asked for, and the answer says so", async () => {
    const { client, serverId } = stage;
    let autoRenew = true;
    await throughEverything(async (told) => {
      autoRenew = !autoRenew;
      const server = await client.setRenewal({ id: serverId, autoRenew });
      assert.equal(server.autoRenew, autoRenew, told);
      assert.equal((await client.readServer({ id: serverId })).autoRenew, autoRenew, told);
    });
  });

  test("a reverse DNS name ends as it was asked for", async () => {
    const { client } = stage;
    const { assignments } = await client.listAssignments();
    const { id } = assignments[0] ?? assert.fail();
    let run = 0;
    await throughEverything(async (told) => {
      const ptr = `host${(run += 1)}.example.com`;
      assert.deepEqual(await client.setReverseDns({ id, ptr }), { id, ptr }, told);
    });
  });

  test("a revoked key is gone, and the call says so even when only its resend is heard", async () => {
    const { client } = stage;
    await throughEverything(async (told) => {
      const [fault, ...rest] = stage.proxy.faults;
      stage.proxy.faults = rest;
      const { id } = await client.createApiKey({ name: "short-lived", scope: "read" });
      stage.proxy.faults = fault === undefined ? [] : [fault];
      assert.equal(await client.revokeApiKey({ id }), undefined, told);
      const { apiKeys } = await client.listApiKeys();
      assert.ok(!apiKeys.some((key) => key.id === id), told);
    });
  });

  test("signing out and in again gets through, with cookies and token that belong together", async () => {
    const { client, proxy, username } = stage;
    for (const fault of faults.filter((_, index) => index % 7 === 0)) {
      const told = JSON.stringify(fault);
      proxy.faults = [fault];
      await client.signOut();
      assert.equal(client.session.export(), undefined, told);
      proxy.faults = [fault];
      await client.signIn({ username, password });
      proxy.faults = [];
      await client.setRenewal({ id: stage.serverId, autoRenew: true });
      await proxy.deliverLate();
    }
  });
});
