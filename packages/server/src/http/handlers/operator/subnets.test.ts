import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import { codeOf, type Answer } from "#test/https-client.ts";
import { startRental, type Rental } from "#test/rental-service.ts";

const subnets = "/operator/v1/subnets";

const fieldsOf = (answer: Answer): readonly string[] =>
  (answer.json.error.fields ?? []).map(({ field }: { field: string }) => field);

forEachEngine((engine) => {
  describe("subnets over HTTPS", () => {
    let rental: Rental;
    before(async () => {
      rental = await startRental(engine);
    });
    after(() => rental.close());

    test("a subnet is added and listed; an invalid region or network is 400, an overlap 409", async () => {
      const support = await rental.operator("support");
      const post = (body: unknown) => support.send("POST", subnets, { body });
      const added = await post({ regionId: "fra", cidr: "2001:DB8:77::/48" });
      assert.equal(added.status, 201);
      assert.deepEqual(added.json, {
        id: added.json.id,
        regionId: "fra",
        cidr: "2001:db8:77::/48",
        reverseZone: null,
        gateway: null,
        vlan: null,
        assigned: 0,
      });
      const listed = await support.send("GET", `${subnets}?regionId=fra`);
      assert.deepEqual(
        listed.json.subnets.filter(({ id }: { id: string }) => id === added.json.id),
        [added.json],
      );
      for (const [body, field] of [
        [{ regionId: "nowhere", cidr: "10.9.0.0/16" }, "regionId"],
        [{ regionId: "fra", cidr: "10.9.0.1/16" }, "cidr"],
        [{ regionId: "fra", cidr: "x" }, "cidr"],
        [{ regionId: "fra" }, "cidr"],
        [{ regionId: "fra", cidr: "10.9.0.0/16", gateway: "10.9.0.1" }, "gateway"],
        [{ regionId: "fra", cidr: "10.9.0.0/26", reverseZone: "0-26.example" }, "reverseZone"],
        [{ regionId: "fra", cidr: "10.9.0.0/16", reverseZone: "10.in-addr.arpa." }, "reverseZone"],
      ] as const) {
        const answer = await post(body);
        assert.deepEqual([answer.status, fieldsOf(answer)], [400, [field]], answer.text);
      }
      const overlap = await post({ regionId: "ams", cidr: "2001:db8:77:8::/64" });
      assert.deepEqual([overlap.status, codeOf(overlap)], [409, "conflict"]);
      assert.match(overlap.json.error.message, /2001:db8:77::\/48/);
    });
  });
});
