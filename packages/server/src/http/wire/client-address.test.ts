import assert from "node:assert/strict";
import { test } from "node:test";
import { clientAddresses } from "./client-address.ts";

const behindProxy = clientAddresses(["127.0.0.1", "10.0.0.0/8"]);

test("the client is the last hop that no trusted proxy vouches for", () => {
  assert.equal(behindProxy("127.0.0.1", "203.0.113.9"), "203.0.113.9");
  assert.equal(behindProxy("127.0.0.1", "198.51.100.1, 203.0.113.9, 10.1.2.3"), "203.0.113.9");
  assert.equal(behindProxy("::ffff:127.0.0.1", "203.0.113.9"), "203.0.113.9");
});

test("a stranger's X-Forwarded-For counts for nothing", () => {
  assert.equal(behindProxy("192.0.2.1", "203.0.113.9"), "192.0.2.1");
  assert.equal(clientAddresses([])("127.0.0.1", "203.0.113.9"), "127.0.0.1");
});

test("ports are left out, and what is no plain address ends the chain", () => {
  assert.equal(behindProxy("127.0.0.1", "203.0.113.9:1234"), "203.0.113.9");
  assert.equal(behindProxy("127.0.0.1", "[2001:db8::1]:99"), "2001:db8::1");
  assert.equal(behindProxy("127.0.0.1", "010.0.0.1"), "127.0.0.1");
  assert.equal(behindProxy("127.0.0.1", "unknown, 10.1.2.3"), "10.1.2.3");
});
