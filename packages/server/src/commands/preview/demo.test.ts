import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import ipaddr from "ipaddr.js";
import { createTestCore, register, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { assertInvariantsHold, seedServer } from "#test/rental.ts";
import { checkCatalogue } from "#features/catalogue/check-catalogue.ts";
import { readCatalogue } from "#features/catalogue/read-catalogue.ts";
import { saveCatalogue } from "#features/catalogue/save-catalogue.ts";
import { assignAddresses } from "#kernel/addresses.ts";
import { systemCall } from "#kernel/call.ts";
import { currentCatalogue } from "#kernel/catalogue.ts";
import type { Core } from "#kernel/core.ts";
import { addMachines } from "#kernel/machine-intake.ts";
import { seedDemo } from "./demo.ts";

const demo: unknown = JSON.parse(
  readFileSync(new URL("demo-catalogue.json", import.meta.url), "utf8"),
);
const documentation = ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32"];

test("the demo catalogue is valid and has a range of configurations, regions and discounts", () => {
  const checked = checkCatalogue(demo);
  assert.ok(checked.ok);
  const { configurations, regions, operatingSystems, discounts } = checked.document;
  assert.ok(configurations.length >= 6 && regions.length >= 5);
  assert.ok(operatingSystems.length >= 10 && discounts.length >= 2);
  for (const { id, offers } of configurations) {
    for (const { weeklyUsd, monthlyUsd } of offers) {
      assert.ok(weeklyUsd < monthlyUsd && monthlyUsd < weeklyUsd * (30 / 7), id);
    }
  }
  const hasGap = configurations.some(({ offers }) => offers.length < regions.length);
  assert.ok(hasGap, "every configuration is offered in every region");
});

forEachEngine((engine) => {
  describe("the preview's demo data", () => {
    let testCore: TestCore;
    let core: Core;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
    });
    after(() => testCore.dispose());

    const machines = () =>
      core.db.read
        .selectFrom("machines")
        .select(["asset_tag", "config_id", "region_id", "state"])
        .execute();

    test("is seeded once by processes that start at the same time", async () => {
      const others = await Promise.all([testCore.reopen(), testCore.reopen()]);
      await Promise.all([core, ...others].map(seedDemo));
      assert.equal((await currentCatalogue(core.db.read, core)).version, 1);
      await assertInvariantsHold(core.db);
    });

    test("has 8 to 40 machines with readable asset tags per offer", async () => {
      const { configurations } = await readCatalogue(core);
      for (const { id, offers } of configurations) {
        for (const { regionId, available } of offers) {
          assert.ok(available >= 8 && available <= 40, `${id} in ${regionId}: ${available}`);
        }
      }
      for (const { asset_tag } of await machines())
        assert.match(asset_tag, /^[A-Z]{3}-[A-Z-]+-\d{3}$/);
    });

    test("uses documentation ranges, with enough addresses for the machines of each region", async () => {
      const subnets = await core.db.read
        .selectFrom("subnets")
        .select(["cidr", "region_id"])
        .execute();
      const regions = new Set((await machines()).map(({ region_id }) => region_id));
      const ranges = documentation.map((cidr) => ipaddr.parseCIDR(cidr));
      for (const { cidr } of subnets) {
        const [address, prefix] = ipaddr.parseCIDR(cidr);
        const isInside = ranges.some(
          ([range, bits]) =>
            range.kind() === address.kind() && prefix >= bits && address.match(range, bits),
        );
        assert.ok(isInside, cidr);
      }
      for (const region of regions) {
        const count = (await machines()).filter(({ region_id }) => region_id === region).length;
        const pools = subnets.filter(({ region_id }) => region_id === region);
        const bits = pools
          .filter(({ cidr }) => cidr.includes("."))
          .map(({ cidr }) => Number(cidr.split("/")[1]));
        const addresses = bits.reduce((sum, prefix) => sum + 2 ** (32 - prefix) - 3, 0);
        assert.ok(addresses >= count, `${region} has ${addresses} addresses for ${count} machines`);
        assert.ok(
          pools.some(({ cidr }) => cidr.includes(":")),
          `${region} has IPv6`,
        );
      }
    });

    test("lets a server get addresses in every region", async () => {
      const { accountId } = await register(core);
      const { id: serverId } = await seedServer(core, accountId, { state: "PROVISIONING" });
      for (const { id: regionId } of (await readCatalogue(core)).regions) {
        const recipient = { accountId, serverId, regionId };
        const given = await core.db.write((tx) => assignAddresses({ tx, core }, recipient));
        assert.equal(given.ok && given.value.length, 2, regionId);
      }
    });

    test("is not seeded again after an operator's change, even to an empty catalogue", async () => {
      const empty = { regions: [], operatingSystems: [], configurations: [], discounts: [] };
      const before = (await machines()).length;
      await saveCatalogue(core, { ...systemCall, actor: "opr_1" }, empty);
      await seedDemo(core);
      assert.deepEqual(await readCatalogue(core), empty);
      assert.equal((await machines()).length, before);
    });
  });

  describe("seeding demo data into a database with other data", () => {
    let testCore: TestCore;
    before(async () => {
      testCore = await createTestCore(engine);
    });
    after(() => testCore.dispose());

    test("throws and writes nothing if its machines exist without a catalogue", async () => {
      const { core } = testCore;
      const mine = { assetTag: "FRA-METAL-S-001", configId: "metal-s", regionId: "fra" };
      await core.db.write((tx) => addMachines({ tx, core }, [mine]));
      await assert.rejects(seedDemo(core), /The demo data could not be added/);
      assert.equal((await currentCatalogue(core.db.read, core)).version, 0);
      await assertInvariantsHold(core.db);
    });
  });
});
