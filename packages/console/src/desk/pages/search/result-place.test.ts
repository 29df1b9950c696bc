import assert from "node:assert/strict";
import { test } from "node:test";
import type { SearchResult } from "@ironlease/client/operator";
import { placeOf } from "./result-place.ts";

const result = { name: null, state: null, username: "ada", id: "acc_1" } as const;
const found = (kind: SearchResult["kind"], by: SearchResult["matchedBy"], matched: string) =>
  placeOf({ ...result, kind, matchedBy: by, matched });

test("a record without a page leads to the account's list that has it", () => {
  assert.deepEqual(found("ACCOUNT", "id", "ord_1"), {
    to: "/accounts/acc_1",
    search: { show: "orders" },
  });
  assert.deepEqual(found("ACCOUNT", "transactionId", "ab"), {
    to: "/accounts/acc_1",
    search: { show: "deposits" },
  });
  assert.deepEqual(found("ACCOUNT", "username", "ord_1"), { to: "/accounts/acc_1", search: {} });
});

test("every other result leads to its page", () => {
  assert.deepEqual(found("SERVER", "hostname", "web1"), { to: "/servers/acc_1", search: {} });
  assert.deepEqual(found("WORK", "transactionId", "ab"), { to: "/work/acc_1", search: {} });
});
