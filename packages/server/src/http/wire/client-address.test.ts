import assert from "node:assert/strict";
import { test } from "node:test";
import { clientAddresses } from "./client-address.ts";

const behindProxy = clientAddresses(["127.0.0.1", "10.0.0.0/8"]);

test("the client is the rightmost hop that is not a trusted proxy", () => {
  assert.equal(behindProxy("127.0.0.1", "203.0.113.9"), "203.0.113.9");
  assert.equal(behindProxy("127.0.0.1", "198.51.100.1, 203.0.113.9, 10.1.2.3"), "203.0.113.9");
  assert.equal(behindProxy("::ffff:127.0.0.1", "203.0.113.9"), "203.0.113.9");
});

test("X-Forwarded-For from an untrusted peer is ignored", () => {
  assert.equal(behindProxy("192.0.2.1", "203.0.113.9"), "192.0.2.1");
  assert.equal(clientAddresses([])("127.0.0.1", "203.0.113.9"), "127.0.0.1");
});

test("ports are removed, and a hop that is not a plain address ends the chain", () => {
  assert.equal(behindProxy("127.0.0.1", "203.0.113.9:1234"), "203.0.113.9");
  assert.equal(behindProxy("127.0.0.1", "[2001:db8::1]:99"), "2001:db8::1");
  assert.equal(behindProxy("127.0.0.1", "010.0.0.1"), "127.0.0.1");
  assert.equal(behindProxy("127.0.0.1", "unknown, 10.1.2.3"), "10.1.2.3");
});

test("at most 20 hops are read", () => {
  const proxies = Array.from({ length: 20 }, (_, index) => `10.0.0.${index}`);
  assert.equal(behindProxy("127.0.0.1", `203.0.113.9, ${proxies.join(", ")}`), "10.0.0.0");
});
