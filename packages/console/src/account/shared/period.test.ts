import assert from "node:assert/strict";
import { test } from "node:test";
import { fileNameOf, periodOf } from "./period.ts";

const none = { first: "", last: "" };
const newYear = new Date("2027-01-01T00:30:00Z");

test("periods are whole UTC days, across the end of a year", () => {
  assert.deepEqual(periodOf("this-month", none, newYear), { from: "2027-01-01" });
  assert.deepEqual(periodOf("last-month", none, newYear), { from: "2026-12-01", to: "2027-01-01" });
  assert.deepEqual(periodOf("this-year", none, newYear), { from: "2027-01-01" });
  assert.deepEqual(periodOf("all", none, newYear), {});
});

test("custom days include the last one and must be in order", () => {
  const custom = (first: string, last: string) => periodOf("custom", { first, last }, newYear);
  assert.deepEqual(custom("2026-12-03", "2026-12-31"), { from: "2026-12-03", to: "2027-01-01" });
  assert.deepEqual(custom("2028-02-28", "2028-02-28"), { from: "2028-02-28", to: "2028-02-29" });
  assert.equal(custom("2026-12-04", "2026-12-03"), undefined);
  assert.equal(custom("", "2026-12-03"), undefined);
});

test("a file is named after its first and last day", () => {
  assert.equal(
    fileNameOf({ from: "2026-12-01", to: "2027-01-01" }, "csv", newYear),
    "ironlease-statement-2026-12-01-to-2026-12-31.csv",
  );
  assert.equal(fileNameOf({}, "json", newYear), "ironlease-statement-to-2027-01-01.json");
});
