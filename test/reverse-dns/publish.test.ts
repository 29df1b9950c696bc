import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setReverseDns } from "#server/features/network/set-reverse-dns.ts";
import { startReverseDns } from "#server/features/reverse-dns/reverse-dns-timer.ts";
import { createTestCore, testClient, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { assertInvariantsHold, endServer } from "#test/rental.ts";
import { valueOf } from "#test/use-cases.ts";
import { connect, createBed, resolvePtr, type BedOptions } from "./bed.ts";
import { sharedPowerDns } from "./shared-power-dns.ts";

const { skip, powerDns } = await sharedPowerDns();

forEachEngine((engine) => {
  describe("published reverse DNS", { skip }, () => {
    let opened: TestCore;
    before(async () => {
      opened = await createTestCore(engine);
    });
    after(async () => {
      await assertInvariantsHold(opened.core.db);
      await opened.dispose();
    });
    const open = (options?: BedOptions) => createBed(opened.core, connect(powerDns()), options);
    const auditOf = async (address: string) => {
      const audit = opened.core.db.read.selectFrom("audit").select(["action", "detail"]);
      const rows = await audit.where("subject", "=", address).orderBy("id").execute();
      return rows.map(({ action, detail }) => [action, JSON.parse(detail).ptr as string]);
    };

    test("a name is published, changed and removed, and each change is audited once", async () => {
      const bed = await open();
      const [v4 = ""] = (await bed.server()).assignmentIds;
      const [address, name] = [`10.${bed.net}.0.2`, `2.${bed.zone}`];
      for (const ptr of ["mail.example.com", "web.example.com", ""]) {
        await bed.set(v4, ptr);
        assert.equal((await bed.rowOf(address)).state, "PENDING");
        assert.deepEqual((await bed.pass()).failures, []);
        assert.equal(await resolvePtr(powerDns(), name), ptr === "" ? "ENOTFOUND" : ptr);
        assert.deepEqual(await bed.listed(v4), { ptr, answered: ptr });
        const published = { state: "PUBLISHED", error: null, published: ptr };
        assert.deepEqual(await bed.rowOf(address), published);
        assert.equal((await bed.pass()).changed, 0);
      }
      assert.deepEqual(
        await auditOf(address),
        ["mail.example.com", "web.example.com", ""].map((ptr) => ["reverse_dns.publish", ptr]),
      );
      assert.deepEqual((await bed.state()).drift, []);
    });

    test("an internationalised name is published in ASCII", async () => {
      const bed = await open();
      const [v4 = ""] = (await bed.server()).assignmentIds;
      const call = { accountId: bed.accountId, client: testClient };
      await valueOf(setReverseDns(bed.core, call, { assignmentId: v4, ptr: "bücher.example" }));
      await bed.pass();
      assert.equal(await resolvePtr(powerDns(), `2.${bed.zone}`), "xn--bcher-kva.example");
    });

    test("the record goes when the server ends, and the next tenant starts without one", async () => {
      const bed = await open();
      const server = await bed.server();
      await bed.set(server.assignmentIds[0] ?? "", "old.example.com");
      await bed.pass();
      await endServer(bed.core, bed.accountId, server);
      const next = await bed.server();
      assert.deepEqual(await bed.listed(next.assignmentIds[0] ?? ""), { ptr: "", answered: "" });
      await bed.pass();
      assert.equal(await resolvePtr(powerDns(), `2.${bed.zone}`), "ENOTFOUND");
      assert.deepEqual(await bed.listed(next.assignmentIds[0] ?? ""), { ptr: "", answered: "" });
      await bed.set(next.assignmentIds[0] ?? "", "new.example.com");
      await bed.pass();
      assert.equal(await resolvePtr(powerDns(), `2.${bed.zone}`), "new.example.com");
      await endServer(bed.core, bed.accountId, next);
      await bed.pass();
      assert.equal(await resolvePtr(powerDns(), `2.${bed.zone}`), "ENOTFOUND");
    });

    test("a record that the pass was about to write goes when the server ends meanwhile", async () => {
      const bed = await open();
      const server = await bed.server();
      await bed.set(server.assignmentIds[0] ?? "", "late.example.com");
      const honest = connect(powerDns());
      let next: Awaited<ReturnType<typeof bed.server>> | undefined;
      await bed.pass({
        ...honest,
        changeZone: async (...change) => {
          await honest.changeZone(...change);
          if (next !== undefined) return;
          await endServer(bed.core, bed.accountId, server);
          next = await bed.server();
        },
      });
      assert.equal(await resolvePtr(powerDns(), `2.${bed.zone}`), "ENOTFOUND");
      assert.deepEqual(await bed.listed(next?.assignmentIds[0] ?? ""), { ptr: "", answered: "" });
    });

    test("a change runs the job at once", async () => {
      const bed = await open();
      const [v4 = ""] = (await bed.server()).assignmentIds;
      const passes: (() => void)[] = [];
      const nextPass = () => new Promise<void>((resolve) => void passes.push(resolve));
      const first = nextPass();
      const [job] = startReverseDns(bed.core, {
        everyMs: 24 * 3_600_000,
        report: (error) => assert.fail(String(error)),
        onPass: () => passes.shift()?.(),
      });
      await first;
      const second = nextPass();
      const call = { accountId: bed.accountId, client: testClient };
      await valueOf(setReverseDns(bed.core, call, { assignmentId: v4, ptr: "woken.example.com" }));
      await second;
      await job?.stop();
      assert.equal(await resolvePtr(powerDns(), `2.${bed.zone}`), "woken.example.com");
    });

    for (const label of ["0-26", "0/26"]) {
      test(`an RFC 2317 zone such as ${label} answers through the CNAME of its parent`, async () => {
        const bed = await open({
          bits: 26,
          reverseZone: (net) => `${label}.0.${net}.10.in-addr.arpa`,
        });
        const own = `2.${label}.${bed.zone}`;
        await powerDns().addZone(bed.zone);
        await powerDns().setRecord(bed.zone, `2.${bed.zone}`, "CNAME", `${own}.`);
        const [v4 = ""] = (await bed.server()).assignmentIds;
        await bed.set(v4, "small.example.com");
        assert.deepEqual((await bed.pass()).failures, []);
        assert.equal(await resolvePtr(powerDns(), `2.${bed.zone}`), "small.example.com");
        assert.equal((await bed.listed(v4)).answered, "small.example.com");
      });
    }

    test("a /64 has one wildcard record that answers for each of its addresses", async () => {
      const bed = await open();
      const [, v6 = ""] = (await bed.server()).assignmentIds;
      await bed.set(v6, "six.example.com");
      await bed.pass();
      const nibbles = `fd000000${bed.net.toString(16).padStart(4, "0")}0000`.split("").toReversed();
      for (const host of ["0000000000000001", "00000000deadbeef"]) {
        const name = [...host.split("").toReversed(), ...nibbles, "ip6.arpa"].join(".");
        assert.equal(await resolvePtr(powerDns(), name), "six.example.com");
      }
      assert.equal((await bed.listed(v6)).answered, "six.example.com");
      await bed.set(v6, "");
      await bed.pass();
      assert.equal((await bed.listed(v6)).answered, "");
    });

    test("foreign records stay as they are and are shown as drift", async () => {
      const bed = await open();
      const [own, foreign] = [`2.${bed.zone}`, `77.${bed.zone}`];
      await powerDns().addZone(bed.zone);
      await powerDns().setRecord(bed.zone, own, "PTR", "by-hand.example.");
      await powerDns().setRecord(bed.zone, foreign, "PTR", "router.example.");
      const [v4 = ""] = (await bed.server()).assignmentIds;
      await bed.pass();
      assert.deepEqual(await bed.listed(v4), { ptr: "", answered: "by-hand.example" });
      await bed.set(v4, "mine.example.com");
      await bed.pass();
      assert.equal(await resolvePtr(powerDns(), own), "by-hand.example");
      assert.equal((await bed.rowOf(`10.${bed.net}.0.2`)).state, "FAILED");
      const drift = (await bed.state()).drift.filter(({ zone }) => zone === bed.zone);
      assert.deepEqual(
        drift.map(({ kind, name, wanted, found }) => ({ kind, name, wanted, found })),
        [
          {
            kind: "FOREIGN_RECORD",
            name: own,
            wanted: "mine.example.com",
            found: "by-hand.example",
          },
          { kind: "FOREIGN_RECORD", name: foreign, wanted: "", found: "router.example" },
        ],
      );
      await powerDns().api("PATCH", `/zones/${bed.zone}.`, {
        rrsets: [{ name: `${own}.`, type: "PTR", changetype: "DELETE" }],
      });
      opened.clock.advance(3_600_000);
      await bed.pass();
      assert.equal(await resolvePtr(powerDns(), own), "mine.example.com");
      assert.equal(await resolvePtr(powerDns(), foreign), "router.example");
    });

    test("a record that vanished from the zone is published again by the next comparison", async () => {
      const bed = await open();
      const [v4 = ""] = (await bed.server()).assignmentIds;
      await bed.set(v4, "back.example.com");
      await bed.pass();
      await powerDns().api("DELETE", `/zones/${bed.zone}.`);
      await bed.pass();
      assert.equal(await resolvePtr(powerDns(), `2.${bed.zone}`), "EREFUSED");
      opened.clock.advance(3_600_000);
      await bed.pass();
      assert.equal(await resolvePtr(powerDns(), `2.${bed.zone}`), "back.example.com");
    });

    test("an address that was assigned before records were tracked is found and published", async () => {
      const bed = await open();
      const [v4 = ""] = (await bed.server()).assignmentIds;
      await bed.core.db.write(async (tx) => {
        await tx.deleteFrom("published_ptrs").where("zone", "=", bed.zone).execute();
        return { ok: true, value: undefined };
      });
      await bed.set(v4, "before.example.com");
      opened.clock.advance(3_600_000);
      await bed.pass();
      assert.equal(await resolvePtr(powerDns(), `2.${bed.zone}`), "before.example.com");
    });
  });
});
