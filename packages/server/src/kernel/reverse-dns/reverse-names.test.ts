import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { hexOfName, questionFor, readReverseZone, reverseNameOf } from "./reverse-names.ts";

const subnet = (cidr: string, reverseZone: string | null = null) => ({
  family: cidr.includes(":") ? 6 : 4,
  cidr,
  reverseZone,
});

describe("reverse names", () => {
  test("an IPv4 address has its own record in the zone of its /24", () => {
    assert.deepEqual(reverseNameOf(subnet("203.0.113.0/24"), "203.0.113.10"), {
      name: "10.113.0.203.in-addr.arpa",
      zone: "113.0.203.in-addr.arpa",
      mayCreate: true,
    });
    const { zone } = reverseNameOf(subnet("10.0.0.0/8"), "10.20.30.40");
    assert.equal(zone, "30.20.10.in-addr.arpa");
  });

  test("the /24 of a smaller subnet is shared, so its zone is not ours to create", () => {
    const { zone, mayCreate } = reverseNameOf(subnet("198.51.100.64/26"), "198.51.100.66");
    assert.deepEqual([zone, mayCreate], ["100.51.198.in-addr.arpa", false]);
  });

  for (const label of ["64-26", "64/26"]) {
    test(`a record of the RFC 2317 zone ${label} has the last octet as its label`, () => {
      const zone = `${label}.100.51.198.in-addr.arpa`;
      assert.deepEqual(reverseNameOf(subnet("198.51.100.64/26", zone), "198.51.100.66"), {
        name: `66.${zone}`,
        zone,
        mayCreate: true,
      });
      assert.equal(hexOfName(`66.${zone}`), "c6336442");
    });
  }

  test("a /64 has one wildcard, which is asked about by its first address", () => {
    const nibbles = "3.0.0.0.2.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa";
    const { name, zone } = reverseNameOf(subnet("2001:db8:2::/48"), "2001:db8:2:3::");
    assert.deepEqual([name, zone], [`*.${nibbles}`, "2.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa"]);
    assert.equal(questionFor(name, "2001:db8:2:3::"), `${"0.".repeat(16)}${nibbles}`);
    assert.equal(hexOfName(name), `20010db800020003${"0".repeat(16)}`);
    // A length that is not a multiple of four: one zone per nibble.
    assert.equal(
      reverseNameOf(subnet("2001:db8:2::/50"), "2001:db8:2:3000::").zone,
      "3.2.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa",
    );
  });

  test("names that are about no address are recognised", () => {
    for (const name of [
      "a.b.example",
      "300.1.1.1.in-addr.arpa",
      "1.1.in-addr.arpa",
      "x.ip6.arpa",
    ]) {
      assert.equal(hexOfName(name), undefined, name);
    }
  });
});

describe("the zone that an operator chooses", () => {
  const small = { family: 4, first: "c6336440", last: "c633647f" } as const;
  const large = { family: 4, first: "c6336400", last: "c63365ff" } as const;
  const six = {
    family: 6,
    first: `20010db8${"0".repeat(24)}`,
    last: `20010db8${"f".repeat(24)}`,
  } as const;

  test("is one that contains the subnet, or an RFC 2317 zone of it, in lower case", () => {
    for (const zone of [
      "64-26.100.51.198.in-addr.arpa",
      "64/26.100.51.198.in-addr.arpa",
      "100.51.198.in-addr.arpa",
      "51.198.in-addr.arpa",
    ]) {
      assert.deepEqual(readReverseZone(zone.toUpperCase(), small), { ok: true, value: zone });
    }
    assert.ok(readReverseZone("51.198.in-addr.arpa", large).ok);
    assert.ok(readReverseZone("8.b.d.0.1.0.0.2.ip6.arpa", six).ok);
  });

  test("cannot be a foreign zone, a name with a trailing dot or half of the subnet", () => {
    for (const zone of [
      "example.com",
      "in-addr.arpa",
      "64-26.100.51.198.in-addr.arpa.",
      "64 26.100.51.198.in-addr.arpa",
      "64-26.101.51.198.in-addr.arpa",
      "8.b.d.0.1.0.0.2.ip6.arpa",
    ]) {
      assert.equal(readReverseZone(zone, small).ok, false, zone);
    }
    assert.equal(readReverseZone("100.51.198.in-addr.arpa", large).ok, false);
    assert.equal(readReverseZone("0.8.b.d.0.1.0.0.2.ip6.arpa", six).ok, false);
  });
});
