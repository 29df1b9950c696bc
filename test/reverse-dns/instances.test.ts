import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { runReverseDns } from "#server/features/reverse-dns/run-pass.ts";
import type { Core } from "#server/kernel/core.ts";
import { leasePass } from "#server/kernel/reverse-dns/pass-lease.ts";
import type { Dns } from "#server/ports/dns.ts";
import { createTestCore, type TestCore } from "#test/core.ts";
import { startIronleased } from "#test/daemon.ts";
import { forEachEngine } from "#test/engines.ts";
import { connect, createBed, resolvePtr } from "./bed.ts";
import { writeDnsFile } from "#test/dns-file.ts";
import { startKillerProxy } from "./killer-proxy.ts";
import { sharedPowerDns } from "./shared-power-dns.ts";

const { skip, powerDns } = await sharedPowerDns();

forEachEngine((engine) => {
  describe("several instances and crashes", { skip }, () => {
    let opened: TestCore;
    before(async () => {
      opened = await createTestCore(engine);
    });
    after(() => opened.dispose());

    const setUp = async (ptr: string) => {
      const bed = await createBed(opened.core, connect(powerDns()));
      const server = await bed.server();
      const [v4 = ""] = server.assignmentIds;
      await bed.set(v4, ptr);
      return { bed, server, v4, answer: () => resolvePtr(powerDns(), `2.${bed.zone}`) };
    };
    /** A DNS server whose changes arrive, after which the pass dies. */
    const dying = (): Dns => {
      const honest = connect(powerDns());
      const changeZone: Dns["changeZone"] = async (...change) => {
        await honest.changeZone(...change);
        throw new Error("killed");
      };
      return { ...honest, changeZone };
    };

    test("of two instances at once only one changes zones, and never two at a time", async () => {
      const { bed, answer } = await setUp("two.example.com");
      const other = await opened.reopen();
      const honest = connect(powerDns());
      let running = 0;
      let changes = 0;
      const counted: Dns = {
        ...honest,
        changeZone: async (...change) => {
          running += 1;
          assert.equal(running, 1);
          await honest.changeZone(...change);
          changes += 1;
          running -= 1;
        },
      };
      const passes = [
        runReverseDns(bed.core, counted, { holder: "a" }),
        runReverseDns(other, counted, { holder: "b" }),
      ];
      await Promise.all(passes);
      assert.equal(changes, 1);
      assert.equal(await answer(), "two.example.com");
    });

    test("an instance whose clock is a little behind does not take the lease", async () => {
      const { bed, answer } = await setUp("skew.example.com");
      const honest = connect(powerDns());
      const behind: Core = { ...bed.core, clock: { now: () => opened.clock.now() - 5_000 } };
      const others: number[] = [];
      await bed.pass({
        ...honest,
        changeZone: async (...change) => {
          const { changed } = await runReverseDns(behind, honest, { holder: "behind" });
          others.push(changed);
          await honest.changeZone(...change);
        },
      });
      assert.deepEqual(others, [0]);
      assert.equal(await answer(), "skew.example.com");
    });

    test("a pass that was paused for longer than its lease sends no further change", async () => {
      const { bed, answer } = await setUp("paused.example.com");
      await powerDns().addZone(bed.zone);
      const honest = connect(powerDns());
      const paused: Dns = {
        ...honest,
        readZone: async (...zone) => {
          const records = await honest.readZone(...zone);
          opened.clock.advance(60_000);
          assert.ok(await leasePass(bed.core, "other"));
          return records;
        },
        changeZone: () => assert.fail("a change without the lease"),
      };
      assert.deepEqual(await bed.pass(paused), { changed: 0, failures: [] });
      assert.equal(await answer(), "ENOTFOUND");
      opened.clock.advance(60_000);
      await bed.pass();
      assert.equal(await answer(), "paused.example.com");
    });

    test("a pass that ends between the change and its record is recognised by the next, whatever was set since", async () => {
      const { bed, v4, answer } = await setUp("first.example.com");
      await assert.rejects(bed.pass(dying()), /killed/);
      assert.equal(await answer(), "first.example.com");
      await bed.set(v4, "second.example.com");
      await bed.pass();
      assert.equal(await answer(), "second.example.com");
      await assert.rejects(
        bed.set(v4, "").then(() => bed.pass(dying())),
        /killed/,
      );
      await bed.set(v4, "third.example.com");
      await bed.pass();
      assert.equal(await answer(), "third.example.com");
    });

    test("after a crash behind the change and one before the next, the record is still ours", async () => {
      const { bed, v4, answer } = await setUp("first.example.com");
      await assert.rejects(bed.pass(dying()), /killed/);
      await bed.set(v4, "second.example.com");
      const unsent: Dns["changeZone"] = () => Promise.reject(new Error("killed"));
      await assert.rejects(bed.pass(connect(powerDns(), { changeZone: unsent })), /killed/);
      assert.equal(await answer(), "first.example.com");
      await bed.pass();
      assert.equal(await answer(), "second.example.com");
    });

    // Starting a process is slow, and the tests above run the same code on both engines.
    if (engine === "postgres") return;
    test("after kill -9 of the process between the change and its record, the next pass goes on", async () => {
      const { bed, v4, answer } = await setUp("killed.example.com");
      const data = dirname(opened.location);
      const proxy = await startKillerProxy(powerDns().apiUrl);
      const file = join(data, "dns.json");
      await writeDnsFile(file, { ...powerDns(), apiUrl: proxy.url });
      const daemon = await startIronleased("preview", {
        IRONLEASE_DATA: data,
        IRONLEASE_DNS: file,
      });
      await proxy.changed;
      assert.equal(await daemon.stop("SIGKILL"), "SIGKILL");
      await proxy.close();
      assert.equal(await answer(), "killed.example.com");
      const row = await bed.rowOf(`10.${bed.net}.0.2`);
      assert.deepEqual([row.state, row.published], ["PENDING", ""]);
      await bed.set(v4, "after.example.com");
      // The lease of the killed process lasts a minute of its clock.
      opened.clock.advance(Date.now() - opened.clock.now() + 60_000);
      assert.deepEqual((await bed.pass()).failures, []);
      assert.equal(await answer(), "after.example.com");
    });
  });
});
