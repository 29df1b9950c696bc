import assert from "node:assert/strict";
import { test } from "node:test";
import type { LedgerEntry } from "@ironlease/client";
import { ledgerCsv } from "./ledger-csv.ts";

const entry: LedgerEntry = {
  id: "led_1",
  createdAt: "2026-11-15T09:30:00.000Z",
  type: "ORDER_CHARGE",
  amountUsd: -39.5,
  balanceAfterUsd: 1000,
  description: "1 × metal-s in fra, monthly",
  reference: { kind: "order", id: "ord_1" },
  previousHash: null,
  hash: "00",
};

test("amounts have two decimals, and text with a comma is quoted", () => {
  const [header, row] = ledgerCsv([entry]).split("\r\n");
  assert.match(header ?? "", /^time_utc,type,description,amount_usd,balance_after_usd,/);
  assert.equal(
    row,
    '2026-11-15T09:30:00.000Z,ORDER_CHARGE,"1 × metal-s in fra, monthly",-39.50,1000.00,order,ord_1,led_1',
  );
});

test("text that a spreadsheet would run as a formula is escaped", () => {
  const csv = ledgerCsv([{ ...entry, description: '=HYPERLINK("https://x")' }]);
  assert.ok(csv.includes(`"'=HYPERLINK(""https://x"")"`));
});
