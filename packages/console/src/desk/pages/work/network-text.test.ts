import assert from "node:assert/strict";
import { test } from "node:test";
import type { Delivery } from "#desk/shared/work-detail.ts";
import { networkText } from "./network-text.ts";

const four = {
  family: 4,
  address: "203.0.113.7",
  prefixLength: 24,
  gateway: "203.0.113.1",
  vlan: 120,
  subnet: "203.0.113.0/24",
};
const six = {
  family: 6,
  address: "2001:db8:1:2::",
  prefixLength: 64,
  gateway: "fe80::1",
  vlan: 120,
  subnet: "2001:db8:1::/48",
};
const textOf = (...addresses: Delivery["addresses"]) =>
  networkText({ assetTag: "A1-07", hostname: "web-1", addresses } as Delivery);

test("both addresses are written with prefix, gateway and VLAN, the IPv6 host inside its /64", () => {
  assert.equal(
    textOf(four, six),
    [
      "# web-1 on A1-07",
      "# VLAN 120",
      "[Network]",
      "Address=203.0.113.7/24",
      "Gateway=203.0.113.1",
      "Address=2001:db8:1:2::1/64",
      "Gateway=fe80::1",
    ].join("\n"),
  );
});

test("a gateway in another network is on the link, and a missing one is named", () => {
  const routed = textOf({ ...six, gateway: "2001:db8::1", vlan: null });
  assert.match(routed, /\[Route\]\nGateway=2001:db8::1\nGatewayOnLink=yes$/);
  assert.match(textOf({ ...six, gateway: null }), /# The gateway of 2001:db8:1::\/48 is not set\./);
});
