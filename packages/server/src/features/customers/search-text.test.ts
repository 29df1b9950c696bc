import assert from "node:assert/strict";
import { test } from "node:test";
import { readSearch } from "./search-text.ts";

test("an empty or blank text matches everything", () => {
  for (const query of ["", "  ", "\t"]) assert.deepEqual(readSearch(query), { kind: "everything" });
});

test("a whole id is looked up in its table, with or without white space around it", () => {
  const tables = {
    srv: "servers",
    ord: "orders",
    dep: "deposits",
    dpa: "deposit_addresses",
    wdr: "withdrawals",
    act: "actions",
    wrk: "work",
    net: "assignments",
    led: "journal",
  };
  for (const [prefix, table] of Object.entries(tables)) {
    const id = `${prefix}_01k9zzzzzzzzzzzzzzzzzzzzzz`;
    assert.deepEqual(readSearch(` ${id} `), { kind: "row", table, id });
  }
  const id = "acc_01k9zzzzzzzzzzzzzzzzzzzzzz";
  assert.deepEqual(readSearch(id), { kind: "account", id });
});

test("a partial id, an id of another kind and __proto__ are text that may be part of a username", () => {
  const texts = [
    ...["acc_01k9", "srv_01k9zzzzzzzzzzzzzzzzzzzzz", "opr_01k9zzzzzzzzzzzzzzzzzzzzzz"],
    ...["__proto__", "constructor", "A-b_9"],
  ];
  for (const text of texts) {
    const partOfUsername = text.toLowerCase();
    assert.deepEqual(readSearch(text), { kind: "text", text, partOfUsername });
  }
});

test("text that no username can contain is searched only as an address or a transaction", () => {
  for (const text of ["a b", "%", "ü", "a".repeat(33), `0x${"a".repeat(64)}`, "a.b", "a/b"]) {
    assert.deepEqual(readSearch(text), { kind: "text", text, partOfUsername: undefined });
  }
});

const addresses: [string, string][] = [
  ["198.51.100.7", "198.51.100.7"],
  ["198.51.100.7/32", "198.51.100.7"],
  ["::ffff:198.51.100.7", "198.51.100.7"],
  ["::FFFF:C633:6407", "198.51.100.7"],
  ["2001:db8:1:2::", "2001:db8:1:2::"],
  ["2001:db8:1:2::/64", "2001:db8:1:2::"],
  ["2001:0DB8:0001:0002:dead:beef:0:1", "2001:db8:1:2::"],
  ["2001:db8:1:2:0:0:192.0.2.1", "2001:db8:1:2::"],
  ["2001:db8::1", "2001:db8::"],
];
for (const [query, address] of addresses) {
  test(`${query} is searched as ${address}, the stored form of assignments`, () => {
    assert.deepEqual(readSearch(query), { kind: "assignment", address });
  });
}

test("numbers that some programs read as addresses are text", () => {
  for (const text of ["2130706433", "0x7f000001", "127.1", "1.2.3.4.5", "256.1.1.1"]) {
    assert.equal(readSearch(text).kind, "text", text);
  }
});
