import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { addressAt, firstPlace, lastPlace, placeOf } from "./address-places.ts";

const subnet = (first_address: string, last_address: string) => ({
  family: first_address.length === 8 ? 4 : 6,
  first_address,
  last_address,
});
const zeros = "0".repeat(16);
const ones = "f".repeat(16);

describe("places of a subnet", () => {
  test("an IPv4 subnet leaves out its network address, the gateway and the broadcast address", () => {
    const smallest = subnet("c0000200", "c0000203");
    assert.deepEqual([firstPlace(4), lastPlace(smallest)], [2, 2]);
    assert.equal(addressAt(smallest, 2), "192.0.2.2");
    const whole = subnet("c0000200", "c00002ff");
    assert.deepEqual(
      [addressAt(whole, 2), addressAt(whole, lastPlace(whole))],
      ["192.0.2.2", "192.0.2.254"],
    );
    assert.equal(lastPlace(subnet("0a000000", "0affffff")), 2 ** 24 - 2);
  });

  test("an IPv6 subnet consists of /64 prefixes, and a /64 of itself", () => {
    const one = subnet(`20010db800010002${zeros}`, `20010db800010002${ones}`);
    assert.deepEqual([firstPlace(6), lastPlace(one)], [0, 0]);
    assert.equal(addressAt(one, 0), "2001:db8:1:2::");
    const many = subnet(`20010db800010000${zeros}`, `20010db80001ffff${ones}`);
    assert.equal(lastPlace(many), 0xffff);
    assert.deepEqual(
      [0, 1, 0xffff].map((place) => addressAt(many, place)),
      ["2001:db8:1::", "2001:db8:1:1::", "2001:db8:1:ffff::"],
    );
    assert.equal(
      lastPlace(subnet(`20010db800000000${zeros}`, `20010db8ffffffff${ones}`)),
      2 ** 32 - 1,
    );
  });

  test("a place's address converts back to the place", () => {
    const subnets = [
      subnet("0a000000", "0affffff"),
      subnet(`20010db800000000${zeros}`, `20010db8ffffffff${ones}`),
    ];
    fc.assert(
      fc.property(fc.constantFrom(...subnets), fc.nat(2 ** 24 - 2), (of, place) => {
        assert.equal(placeOf(of, addressAt(of, place)), place);
      }),
    );
  });
});
