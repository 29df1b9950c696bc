import assert from "node:assert/strict";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { askNameServer } from "#server/adapters/dns-powerdns/ask-name-server.ts";
import { createPowerDns } from "#server/adapters/dns-powerdns/powerdns.ts";
import { DnsUnavailable, type Dns } from "#server/ports/dns.ts";
import { createTestCore, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { findFreePort } from "#test/free-port.ts";
import { connect, createBed, resolvePtr } from "./bed.ts";
import { sharedPowerDns } from "./shared-power-dns.ts";

const { skip, powerDns } = await sharedPowerDns();

forEachEngine((engine) => {
  describe("outages of DNS", { skip }, () => {
    let opened: TestCore;
    before(async () => {
      opened = await createTestCore(engine);
    });
    after(() => opened.dispose());

    const setUp = async (ptr: string, dns: Dns = connect(powerDns())) => {
      const bed = await createBed(opened.core, dns);
      const [v4 = ""] = (await bed.server()).assignmentIds;
      await bed.set(v4, ptr);
      const row = async () => (await bed.rowOf(`10.${bed.net}.0.2`)).state;
      const answer = () => resolvePtr(powerDns(), `2.${bed.zone}`);
      const retry = async () => {
        opened.clock.advance(3_600_000);
        return bed.pass(connect(powerDns()));
      };
      return { bed, v4, row, answer, retry };
    };

    test("a missing zone is a failure that names it, unless zones may be created", async () => {
      const { bed, row, answer, retry } = await setUp("zone.example.com");
      assert.deepEqual((await bed.pass(connect(powerDns(), { createsZones: false }))).failures, []);
      assert.equal(await row(), "FAILED");
      const { zones, failed } = await bed.state();
      const zone = zones.find((one) => one.zone === bed.zone);
      assert.deepEqual(
        [zone?.state, zone?.error],
        ["FAILED", `The zone ${bed.zone} does not exist. Create it.`],
      );
      assert.equal(failed, 1);
      assert.equal(await answer(), "EREFUSED");
      await retry();
      assert.equal(await answer(), "zone.example.com");
      assert.equal(await row(), "PUBLISHED");
    });

    test("a wrong key, a silent API and a closed port leave the change pending until they are gone", async () => {
      const wrongKey = join(powerDns().apiKeyFile, "..", "wrong-key");
      await writeFile(wrongKey, "wrong");
      const sockets = createServer(() => {}).listen(0, "127.0.0.1");
      await once(sockets, "listening");
      const { port } = sockets.address() as AddressInfo;
      const reaching = (apiUrl: string, apiKeyFile: string): Dns => ({
        ...createPowerDns({
          apiUrl,
          apiKeyFile,
          serverId: "localhost",
          nameServers: [powerDns().nameServer],
          createZones: false,
          zoneNameServers: [],
        }),
        answerMs: 200,
      });
      const outages: [Dns, RegExp][] = [
        [reaching(powerDns().apiUrl, wrongKey), /refused the API key/],
        [reaching(powerDns().apiUrl, "/nowhere/key"), /key of PowerDNS cannot be read \(ENOENT\)/],
        [
          reaching(`http://127.0.0.1:${port}`, powerDns().apiKeyFile),
          /did not answer within 200 ms/,
        ],
        [
          reaching(`http://127.0.0.1:${await findFreePort()}`, powerDns().apiKeyFile),
          /cannot be reached \(ECONNREFUSED\)/,
        ],
      ];
      const { bed, row, answer } = await setUp("outage.example.com");
      for (const [dns, message] of outages) {
        opened.clock.advance(3_600_000);
        const { failures } = await bed.pass(dns);
        assert.equal(failures.length, 1);
        assert.match((await bed.state()).error ?? "", message);
        assert.equal(await row(), "PENDING");
      }
      sockets.close();
      // The job itself retries with backoff, so its next pass publishes at once.
      assert.deepEqual((await bed.pass()).failures, []);
      assert.equal((await bed.state()).error, null);
      assert.equal(await answer(), "outage.example.com");
    });

    test("a name server that is down or silent makes the record fail, and it recovers", async () => {
      const silent = createSocket("udp4").bind(0, "127.0.0.1");
      await once(silent, "listening");
      const down = `127.0.0.1:${await findFreePort()}`;
      const { bed, row, retry } = await setUp("asked.example.com");
      const ask: Dns["ask"] = (server, name) => askNameServer(server, name, 50);
      for (const server of [down, `127.0.0.1:${silent.address().port}`]) {
        opened.clock.advance(3_600_000);
        await bed.pass(connect(powerDns(), { ask, nameServers: [powerDns().nameServer, server] }));
        assert.equal(await row(), "FAILED");
        const drift = (await bed.state()).drift.find(
          ({ wanted }) => wanted === "asked.example.com",
        );
        assert.ok(drift?.error?.includes(server), JSON.stringify(drift));
        assert.equal(drift?.found, "asked.example.com");
      }
      silent.close();
      await retry();
      assert.equal(await row(), "PUBLISHED");
      const actions = await opened.core.db.read
        .selectFrom("audit")
        .select("action")
        .where("subject", "=", `10.${bed.net}.0.2`)
        .orderBy("id")
        .execute();
      assert.deepEqual(
        actions.map(({ action }) => action),
        ["reverse_dns.fail", "reverse_dns.publish"],
      );
    });

    test("a name is cleared only when the name servers say so: one that refuses the question has not", async () => {
      const { bed, v4, row } = await setUp("kept.example.com");
      await bed.pass();
      await bed.set(v4, "");
      await powerDns().api("DELETE", `/zones/${bed.zone}.`);
      await bed.pass();
      assert.equal(await row(), "FAILED");
      assert.match((await bed.rowOf(`10.${bed.net}.0.2`)).error ?? "", /EREFUSED/);
      await bed.set(v4, "again.example.com");
      await bed.pass();
      await bed.set(v4, "");
      await bed.pass();
      assert.equal(await row(), "PUBLISHED");
    });

    test("a zone that fails alone does not hold up the others", async () => {
      const honest = connect(powerDns());
      const broken = await setUp("broken.example.com");
      const sound = await setUp("sound.example.com");
      const readZone: Dns["readZone"] = (zone, signal) =>
        zone === broken.bed.zone
          ? Promise.reject(new DnsUnavailable("PowerDNS answered with HTTP status 500"))
          : honest.readZone(zone, signal);
      const { failures } = await sound.bed.pass({ ...honest, readZone });
      assert.equal(failures.length, 1);
      assert.equal(await sound.answer(), "sound.example.com");
      assert.equal(await broken.row(), "PENDING");
      await broken.retry();
      assert.equal(await broken.answer(), "broken.example.com");
    });

    test("one bad name in a batch fails alone", async () => {
      const { bed } = await setUp("first.example.com");
      for (const ptr of ["second.example.com", "bad..example.com", "fourth.example.com"]) {
        const [v4 = ""] = (await bed.server()).assignmentIds;
        await bed.set(v4, ptr);
      }
      await bed.pass();
      const answers = [2, 3, 4, 5].map((host) => resolvePtr(powerDns(), `${host}.${bed.zone}`));
      assert.deepEqual(await Promise.all(answers), [
        "first.example.com",
        "second.example.com",
        "ENOTFOUND",
        "fourth.example.com",
      ]);
      const { state, error } = await bed.rowOf(`10.${bed.net}.0.4`);
      assert.equal(state, "FAILED");
      assert.match(error ?? "", /^PowerDNS refused the change: /);
    });

    test("a setting that changes during a pass is published too", async () => {
      const { bed, v4, row, answer } = await setUp("first.example.com");
      // The first pass compares the whole zone, which would find the change too.
      await bed.pass();
      await bed.set(v4, "early.example.com");
      const honest = connect(powerDns());
      let changes = 0;
      await bed.pass({
        ...honest,
        changeZone: async (...change) => {
          await honest.changeZone(...change);
          if (changes === 0) await bed.set(v4, "late.example.com");
          changes += 1;
        },
      });
      assert.equal(changes, 2);
      assert.equal(await answer(), "late.example.com");
      assert.equal(await row(), "PUBLISHED");
    });
  });
});
