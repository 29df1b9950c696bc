import assert from "node:assert/strict";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { dnsFindings } from "#server/commands/doctor/dns-findings.ts";
import { readConfig } from "#server/config.ts";
import { skipWithout } from "#test/components.ts";
import { temporaryFolder } from "#test/daemon.ts";
import { forSlowDaemon } from "#test/engines.ts";
import { startPowerDns, type PowerDns } from "#test/powerdns.ts";
import { seedServer } from "#test/rental.ts";
import { startRental, type Rental } from "#test/rental-service.ts";
import { resolvePtr } from "./bed.ts";
import { deadDnsFile, writeDnsFile } from "#test/dns-file.ts";

const skip = await skipWithout("powerdns");

forSlowDaemon("postgres", (engine) => {
  describe("a service with PowerDNS", { skip }, () => {
    let powerDns: PowerDns;
    let file: string;
    let rental: Rental;
    before(async () => {
      powerDns = await startPowerDns();
      const folder = temporaryFolder();
      // Stopping the server removes its own folder.
      const apiKeyFile = join(folder, "api-key");
      await copyFile(powerDns.apiKeyFile, apiKeyFile);
      file = await writeDnsFile(join(folder, "dns.json"), { ...powerDns, apiKeyFile });
      rental = await startRental(engine, { settings: { IRONLEASE_DNS: file } });
    });
    after(async () => {
      await rental.close();
      await powerDns.stop();
    });

    const readDesk = async (path: string) =>
      (await (await rental.operator("support")).send("GET", path)).json;

    test("publishes what customers set, shows it to them and to operators, and survives an outage", async () => {
      const { core } = rental;
      const support = await rental.operator("support");
      const zone = "64-26.100.51.198.in-addr.arpa";
      const subnet = { regionId: "fra", cidr: "198.51.100.64/26", reverseZone: zone };
      const added = await support.send("POST", "/operator/v1/subnets", { body: subnet });
      assert.equal(added.status, 201, added.text);
      assert.equal(added.json.reverseZone, zone);
      const ada = await rental.customer(0);
      await seedServer(core, ada.accountId, { regionId: "fra" });
      const listed = async () => (await ada.send("GET", "/api/v1/network")).json.assignments[0];
      const { id } = await listed();
      const set = async (ptr: string) => {
        const answer = await ada.send("PUT", `/api/v1/network/${id}/rdns`, { body: { ptr } });
        assert.deepEqual([answer.status, answer.json], [200, { id, ptr }]);
      };

      await set("web1.example.com");
      const published = await until(listed, ({ ptrPublished }) => ptrPublished.ptr !== "");
      assert.equal(published.ptrPublished.ptr, "web1.example.com");
      assert.ok(Date.parse(published.ptrPublished.checkedAt) > 0);
      assert.equal(await resolvePtr(powerDns, `66.${zone}`), "web1.example.com");

      const settled = await until(
        () => readDesk("/operator/v1/dns"),
        ({ pending, zones }) => pending === 0 && zones[0].comparedAt !== null,
      );
      const { checkedAt, zones, ...rest } = settled;
      assert.ok(Date.parse(checkedAt) > 0);
      assert.deepEqual(rest, { isConnected: true, error: null, pending: 0, failed: 0, drift: [] });
      const [{ comparedAt, ...only }, ...others] = zones;
      assert.ok(Date.parse(comparedAt) > 0);
      assert.deepEqual(
        [only, ...others],
        [{ zone, state: "PRESENT", error: null, pending: 0, failed: 0 }],
      );

      await powerDns.setRecord(zone, `70.${zone}`, "PTR", "router.example.");
      const run = await support.send("POST", "/operator/v1/dns/run");
      assert.equal(run.status, 202, run.text);
      assert.deepEqual(Object.keys(run.json), ["requestedAt"]);
      const { entries } = await readDesk("/operator/v1/audit?action=reverse_dns.run");
      assert.deepEqual(
        entries.map(({ subject }: { subject: string }) => subject),
        ["reverse_dns"],
      );
      const { drift } = await until(
        () => readDesk("/operator/v1/dns"),
        (state) => state.drift.length > 0,
      );
      const [{ at, ...foreign }] = drift;
      assert.ok(Date.parse(at) > 0);
      assert.deepEqual(foreign, {
        kind: "FOREIGN_RECORD",
        name: `70.${zone}`,
        zone,
        wanted: "",
        found: "router.example",
        error: null,
      });

      const [api, nameServer] = await findingsOf(file);
      assert.match(api ?? "", /^reverse DNS: PowerDNS \d/);
      assert.equal(nameServer, `name server ${powerDns.nameServer}: answers`);

      await powerDns.stop();
      await set("web2.example.com");
      const { error } = await until(
        () => readDesk("/operator/v1/dns"),
        (state) => state.error !== null,
      );
      assert.match(error, /^PowerDNS cannot be reached \(ECONNREFUSED\)/);
      rental.clock.advance(5_000);
      const { reverseDns } = await readDesk("/operator/v1/overview");
      assert.deepEqual(reverseDns, { pending: 1, failed: 0, oldestAgeMs: 5_000 });
      assert.equal((await listed()).ptrPublished.ptr, "web1.example.com");
    });

    test("doctor names a server that cannot be reached and a file that is wrong", async () => {
      const folder = temporaryFolder();
      const down = await deadDnsFile(folder);
      const [apiDown, nameServerDown] = await findingsOf(down);
      assert.match(apiDown ?? "", /^reverse DNS: BAD PowerDNS cannot be reached \(ECONNREFUSED\)/);
      assert.match(nameServerDown ?? "", /^name server \S+: BAD it does not answer/);
      const [missing] = await findingsOf(join(folder, "none.json"));
      assert.match(missing ?? "", /^reverse DNS: BAD IRONLEASE_DNS names .*, which does not exist/);
    });
  });
});

async function findingsOf(file: string): Promise<readonly string[]> {
  const data = temporaryFolder();
  const config = readConfig("serve", { IRONLEASE_DATA: data, IRONLEASE_DNS: file });
  const findings = await dnsFindings(config);
  return findings.map(
    ({ subject, detail, problem }) =>
      `${subject}: ${problem === undefined ? detail : `BAD ${problem}`}`,
  );
}

/** Reads until the background job has done its part. */
async function until<T>(read: () => Promise<T>, isDone: (value: T) => boolean): Promise<T> {
  for (let check = 0; check < 400; check += 1) {
    const value = await read();
    if (isDone(value)) return value;
    await delay(50);
  }
  throw new Error(`not reached: ${JSON.stringify(await read())}`);
}
