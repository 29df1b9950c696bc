import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Deposit } from "@ironlease/client";
import { isNewlyCredited } from "./newly-credited.ts";

const credited = { id: "dep_1", creditedAt: "2026-11-15T09:30:00.000Z" } as Deposit;
const confirming: Deposit = { ...credited, creditedAt: null };

describe("isNewlyCredited", () => {
  test("a deposit counts if the previous list had it confirming or not at all", () => {
    assert.equal(isNewlyCredited([confirming], [credited]), true);
    assert.equal(isNewlyCredited([], [credited]), true);
    assert.equal(isNewlyCredited([credited], [credited]), false);
    assert.equal(isNewlyCredited([], [confirming]), false);
  });

  test("before the first read, every credited deposit counts", () => {
    assert.equal(isNewlyCredited(undefined, [credited]), true);
    assert.equal(isNewlyCredited(undefined, [confirming]), false);
  });
});
