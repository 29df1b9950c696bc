import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import type { Result } from "#ports/result.ts";
import type { Core } from "./core.ts";
import { addSubnet } from "./subnets.ts";

const codeOf = (result: Result<unknown>) => (result.ok ? "ok" : result.refusal.code);

forEachEngine((engine) => {
  describe("subnets", () => {
    let testCore: TestCore;
    let core: Core;
    before(async () => {
      testCore = await createTestCore(engine);
      ({ core } = testCore);
    });
    after(() => testCore.dispose());

    const add = (cidr: string, on = core, regionId = "fra") =>
      on.db.write((tx) => addSubnet({ tx, core: on }, { regionId, cidr }));

    test("a subnet is stored in its shortest notation, with its first and last address", async () => {
      const four = await add("198.51.100.0/25");
      const six = await add("2001:0DB8:0001:0000:0:0:0:0/48");
      assert.equal(four.ok && four.value.cidr, "198.51.100.0/25");
      assert.equal(six.ok && six.value.cidr, "2001:db8:1::/48");
      const rows = await core.db.read
        .selectFrom("subnets")
        .select(["cidr", "family", "first_address", "last_address", "next_index"])
        .orderBy("family")
        .execute();
      // SQLite rows have no prototype, so they never equal a plain object.
      const found = rows.map((row) => ({ ...row }));
      assert.deepEqual(found, [
        {
          cidr: "198.51.100.0/25",
          family: 4,
          next_index: 2,
          first_address: "c6336400",
          last_address: "c633647f",
        },
        {
          cidr: "2001:db8:1::/48",
          family: 6,
          next_index: 0,
          first_address: `20010db80001${"0".repeat(20)}`,
          last_address: `20010db80001${"f".repeat(20)}`,
        },
      ]);
    });

    const refused: [string, RegExp][] = [
      ["", /must be a network/],
      ["198.51.100.0", /must be a network/],
      ["198.51.100/24", /must be a network/],
      ["198.51.100.0/024", /must be a network/],
      ["198.51.100.0/24 ", /must be a network/],
      ["0198.51.100.0/24", /must be a network/],
      ["198.51.0100.0/24", /must be a network/],
      ["256.0.0.0/8", /must be a network/],
      ["0xc6.0.0.0/8", /must be a network/],
      ["fe80::%eth0/64", /must be a network/],
      ["2001:db8::g/48", /must be a network/],
      ["2001:db8::/48/48", /must be a network/],
      ["10.0.0.0/7", /must be a \/8 to a \/30/],
      ["10.0.0.0/31", /must be a \/8 to a \/30/],
      ["10.0.0.0/32", /must be a \/8 to a \/30/],
      ["10.0.0.0/129", /must be a \/8 to a \/30/],
      ["2001:db8::/31", /must be a \/32 to a \/64/],
      ["2001:db8::/65", /must be a \/32 to a \/64/],
      ["2001:db8::/128", /must be a \/32 to a \/64/],
      ["10.0.0.1/24", /must start with its network address: 10\.0\.0\.0\/24/],
      ["10.0.0.128/24", /must start with its network address: 10\.0\.0\.0\/24/],
      ["2001:db8:0:1::/48", /must start with its network address: 2001:db8::\/48/],
    ];
    test("a network of the wrong size, or not given by its network address, is refused with the reason", async () => {
      for (const [cidr, message] of refused) {
        const result = await add(cidr);
        assert.equal(codeOf(result), "validation_failed", cidr);
        assert.ok(!result.ok);
        assert.equal(result.refusal.fields?.[0]?.field, "cidr");
        assert.match(result.refusal.fields?.[0]?.message ?? "", message, cidr);
      }
    });

    test("the largest and the smallest sizes are accepted", async () => {
      for (const cidr of ["11.0.0.0/8", "12.0.0.4/30", "2001:db9::/32", "2001:dba:0:7::/64"]) {
        assert.equal(codeOf(await add(cidr)), "ok", cidr);
      }
    });

    test("an overlap is a conflict that names the other subnet, in any region", async () => {
      await add("172.16.8.0/22");
      await add("2a00:1:8::/45");
      const overlapping = [
        ...["172.16.8.0/22", "172.16.8.0/24", "172.16.11.252/30", "172.16.0.0/12", "172.0.0.0/8"],
        ...["2a00:1:8::/45", "2a00:1:8::/64", "2a00:1:f:ffff::/64", "2a00:1::/32"],
      ];
      for (const cidr of overlapping) {
        const result = await add(cidr, core, "ams");
        assert.equal(codeOf(result), "conflict", cidr);
        const message = result.ok ? "" : (result.refusal.message ?? "");
        assert.match(message, /overlaps the subnet (?:172\.16\.8\.0\/22|2a00:1:8::\/45)/);
      }
      for (const beside of ["172.16.4.0/22", "172.16.12.0/30", "2a00:1:7::/48", "2a00:1:10::/44"]) {
        assert.equal(codeOf(await add(beside)), "ok", beside);
      }
    });

    test("exactly one of several concurrent overlapping subnets is added", async () => {
      const other = await testCore.reopen();
      for (const [network, prefixes] of [
        ["100.64.0.0", 10],
        ["2a02::", 34],
      ] as const) {
        const results = await Promise.all(
          Array.from({ length: 20 }, (_, index) =>
            add(`${network}/${prefixes + index}`, index % 2 === 0 ? core : other, `region${index}`),
          ),
        );
        assert.equal(results.filter((result) => result.ok).length, 1);
        assert.equal(results.filter((result) => codeOf(result) === "conflict").length, 19);
      }
    });

    test("a region has at most 1,000 subnets", async () => {
      const rows = Array.from({ length: 1_000 }, (_, n) => {
        const hex = `0a${n.toString(16).padStart(4, "0")}`;
        return {
          id: `sub_${n}`,
          region_id: "full",
          cidr: `10.${n >> 8}.${n & 255}.0/24`,
          family: 4,
          first_address: `${hex}00`,
          last_address: `${hex}ff`,
          next_index: 2,
          created_at: 0,
        };
      });
      const results = await core.db.write(async (tx) => {
        await tx.insertInto("subnets").values(rows.slice(1)).execute();
        const last = await addSubnet({ tx, core }, { regionId: "full", cidr: rows[0]!.cidr });
        if (!last.ok) return last;
        return addSubnet({ tx, core }, { regionId: "full", cidr: "10.200.0.0/24" });
      });
      assert.equal(codeOf(results), "limit_reached");
    });
  });
});
