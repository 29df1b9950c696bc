import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { cancelServer } from "#server/features/servers/cancel-server.ts";
import type { OperatorCall } from "#server/kernel/call.ts";
import type { Core } from "#server/kernel/core.ts";
import { addSubnet } from "#server/kernel/subnets.ts";
import { createTestCore, register, testClient, type TestCore } from "#test/core.ts";
import { auditOf, messageOf, type Queued } from "#test/desk.ts";
import { forEachEngine } from "#test/engines.ts";
import { operatorCall } from "#test/operators.ts";
import { assertInvariantsHold, seedServer } from "#test/rental.ts";
import { codeOf, intentOf, valueOf } from "#test/use-cases.ts";
import { claimWork, completeWork, failWork, readWork, releaseWork } from "#test/work.ts";

const reason = { reason: "The disk is broken." };

forEachEngine((engine) => {
  describe("reserved addresses of deliveries", () => {
    let testCore: TestCore;
    let core: Core;
    let other: Core;
    let ada: OperatorCall;
    let bob: OperatorCall;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
      other = await testCore.reopen();
      ada = await operatorCall(core, "support");
      bob = await operatorCall(core, "support");
    });
    after(() => testCore.dispose());

    const add = async (regionId: string, ...cidrs: readonly string[]) => {
      for (const cidr of cidrs) {
        await valueOf(core.db.write((tx) => addSubnet({ tx, core }, { regionId, cidr })));
      }
    };
    const queue = async (regionId: string): Promise<Queued> => {
      const { accountId } = await register(core);
      const seed = { regionId, state: "PROVISIONING" } as const;
      const { id, machineId } = await seedServer(core, accountId, seed);
      const work = core.db.read.selectFrom("work").select("id").where("server_id", "=", id);
      const { id: workId } = await work.executeTakeFirstOrThrow();
      return { workId, accountId, subjectId: id, machineId };
    };
    const claim = (item: Queued, by = ada, on = core) => claimWork(on, by, item.workId);
    const complete = (item: Queued, by = ada, on = core) =>
      completeWork(on, by, item.workId, { hostname: "web-1" });
    const addressesOf = async ({ workId }: Queued) => {
      const { delivery } = await valueOf(readWork(core, workId));
      return delivery?.addresses.map(({ address }) => address);
    };
    const problemOf = async ({ workId }: Queued) =>
      (await valueOf(readWork(core, workId))).delivery?.problem;
    const cancel = ({ accountId, subjectId }: Queued, on = core) =>
      cancelServer(
        on,
        { accountId, client: testClient, intent: intentOf("cancelServer") },
        subjectId,
      );

    test("a claim reserves what completing assigns, with all that the operator configures", async () => {
      await add("one", "10.1.0.0/24", "2001:db8:1::/48");
      const item = await queue("one");
      assert.deepEqual(await addressesOf(item), []);
      const { delivery } = await valueOf(claim(item));
      assert.deepEqual(delivery?.addresses, [
        {
          family: 4,
          address: "10.1.0.2",
          prefixLength: 24,
          gateway: "10.1.0.1",
          vlan: null,
          subnet: "10.1.0.0/24",
        },
        {
          family: 6,
          address: "2001:db8:1::",
          prefixLength: 64,
          gateway: null,
          vlan: null,
          subnet: "2001:db8:1::/48",
        },
      ]);
      assert.equal(delivery.machineId, item.machineId);
      assert.equal(delivery.hostname, item.subjectId.replace("_", "-"));
      const [, , audited] = (await auditOf(core, item.workId)).at(-1) ?? [];
      const { addresses } = audited as { readonly addresses: string };
      assert.equal(addresses, "10.1.0.2 2001:db8:1::");

      const second = await queue("one");
      await valueOf(claim(second, bob));
      await valueOf(complete(second, bob));
      const done = await valueOf(complete(item));
      assert.deepEqual(await addressesOf(second), ["10.1.0.3", "2001:db8:1:1::"]);
      assert.deepEqual(await addressesOf(item), ["10.1.0.2", "2001:db8:1::"]);
      assert.equal(done.delivery?.hostname, "web-1");
    });

    test("the item keeps its addresses when it is renewed, released, or claimed after the lease", async () => {
      await add("keep", "10.2.0.0/24");
      const item = await queue("keep");
      await valueOf(claim(item));
      await valueOf(claim(item));
      await valueOf(releaseWork(core, ada, item.workId));
      await valueOf(claim(await queue("keep")));
      await valueOf(claim(item, bob));
      testCore.clock.advance(30 * 60_000);
      const { delivery } = await valueOf(claim(item));
      assert.deepEqual(
        delivery?.addresses.map(({ address }) => address),
        ["10.2.0.2"],
      );
      await valueOf(complete(item));
      assert.deepEqual(await addressesOf(item), ["10.2.0.2"]);
    });

    test("a failed delivery and a cancelled server free their addresses", async () => {
      await add("free", "10.3.0.0/24", "2001:db8:3::/48");
      const [failed, cancelled] = [await queue("free"), await queue("free")];
      await valueOf(claim(failed));
      await valueOf(claim(cancelled));
      await valueOf(failWork(core, ada, failed.workId, reason));
      await valueOf(releaseWork(core, ada, cancelled.workId));
      await valueOf(cancel(cancelled));
      const next = [await queue("free"), await queue("free")];
      for (const item of next) await valueOf(claim(item));
      assert.deepEqual(await addressesOf(failed), []);
      assert.deepEqual(await addressesOf(next[0]!), ["10.3.0.2", "2001:db8:3::"]);
      assert.deepEqual(await addressesOf(next[1]!), ["10.3.0.3", "2001:db8:3:1::"]);
    });

    test("without a free address the claim succeeds and says what to do, and completing is refused", async () => {
      const bare = await queue("bare");
      assert.match(
        (await valueOf(claim(bare))).delivery?.problem ?? "",
        /region bare has no subnet\. Add a subnet/,
      );
      await add("full", "10.4.0.0/30", "2001:db8:4::/48");
      const [first, second] = [await queue("full"), await queue("full")];
      await valueOf(claim(first));
      await valueOf(claim(second, bob));
      assert.equal(await problemOf(first), null);
      assert.match((await problemOf(second)) ?? "", /No IPv4 address of the region full/);
      assert.deepEqual(await addressesOf(second), ["2001:db8:4:1::"]);
      assert.match(await messageOf(complete(second, bob)), /All IPv4 addresses of the region full/);
      assert.deepEqual(await addressesOf(second), ["2001:db8:4:1::"]);
      await add("full", "10.4.1.0/30");
      await valueOf(claim(second, bob));
      assert.equal(await problemOf(second), null);
      await valueOf(complete(second, bob));
      assert.deepEqual(await addressesOf(second), ["10.4.1.2", "2001:db8:4:1::"]);
    });

    test("an item that was claimed without reservations is completed with free addresses", async () => {
      await add("late", "10.5.0.0/24");
      const item = await queue("late");
      await valueOf(claim(item));
      await add("late", "2001:db8:5::/48");
      await valueOf(complete(item));
      assert.deepEqual(await addressesOf(item), ["10.5.0.2", "2001:db8:5::"]);
      const before = await queue("late");
      // As the service left it before it knew reservations.
      await core.db.write(async (tx) => ({
        ok: true,
        value: await tx
          .updateTable("work")
          .set({
            state: "CLAIMED",
            claimed_by: ada.operator.operatorId,
            lease_until: core.clock.now() + 1,
          })
          .where("id", "=", before.workId)
          .execute(),
      }));
      await valueOf(complete(before));
      assert.deepEqual(await addressesOf(before), ["10.5.0.3", "2001:db8:5:1::"]);
    });

    test("racing claims on the last address: one reserves it, and each operator holds their item", async () => {
      for (let round = 0; round < 5; round += 1) {
        const region = `race-${round}`;
        await add(region, `10.6.${round}.0/30`);
        const items = [await queue(region), await queue(region)];
        const results = await Promise.all(
          items.map((item, index) =>
            claim(item, index === 0 ? ada : bob, index === 0 ? core : other),
          ),
        );
        const reserved = results.map((result) => (result.ok ? result.value.delivery : undefined));
        const taken = reserved.flatMap((delivery) => delivery?.addresses ?? []);
        assert.deepEqual(
          taken.map(({ address }) => address),
          [`10.6.${round}.2`],
        );
        const ended = await Promise.all([complete(items[0]!), complete(items[1]!, bob, other)]);
        assert.equal(ended.filter((result) => result.ok).length, 1);
      }
    });

    test("a claim that races the customer's cancellation leaves no reservation behind", async () => {
      await add("cancel", "10.7.0.0/24", "2001:db8:7::/48");
      for (let round = 0; round < 10; round += 1) {
        const item = await queue("cancel");
        const [claimed, cancelled] = await Promise.all([
          codeOf(claim(item)),
          codeOf(cancel(item, other)),
        ]);
        assert.deepEqual(
          [claimed, cancelled],
          claimed === "ok" ? ["ok", "server_not_ready"] : ["conflict", "ok"],
        );
        assert.equal((await addressesOf(item))?.length, claimed === "ok" ? 2 : 0);
      }
    });

    test("every invariant holds afterwards", () => assertInvariantsHold(core.db));
  });
});
