import assert from "node:assert/strict";
import { test } from "node:test";
import { amountProblem, isReviewable } from "./amount-problem.ts";

test("an amount above the balance is a problem, to the cent", () => {
  assert.equal(amountProblem("25.10", 25.1), undefined);
  assert.equal(amountProblem("25.11", 25.1), "more than your balance of $25.10");
  assert.equal(amountProblem("1", 0), "more than your balance of $0.00");
  assert.equal(amountProblem("500", undefined), undefined);
});

test("the limits of a withdrawal are named, but not while the amount is incomplete", () => {
  assert.equal(amountProblem("100000.01", 200_000), "must be at most $100,000.00");
  assert.equal(amountProblem("0.99", 10), "must be at least $1.00");
  for (const usd of ["", "0", "0.", "0.9", "."]) assert.equal(amountProblem(usd, 10), undefined);
});

test("only a complete amount within the limits and the balance can be reviewed", () => {
  for (const usd of ["1", "1.5", "25.10"]) assert.equal(isReviewable(usd, 25.1), true, usd);
  for (const usd of ["", ".", "0", "0.5", "0.99", "05", "25.11", "1.234"]) {
    assert.equal(isReviewable(usd, 25.1), false, usd);
  }
});
