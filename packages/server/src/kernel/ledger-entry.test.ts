import assert from "node:assert/strict";
import { test } from "node:test";
import { hashEntry } from "./ledger-entry.ts";

/** Computed by another program from the published rule: sha256sum over the canonical JSON. */
test("the hash is SHA-256 of the canonical JSON of the entry as the customer reads it", () => {
  const entry = {
    id: "led_01kfxq8n3ve7wt5c2m9hzr4d6y",
    createdAt: Date.UTC(2026, 10, 15, 9, 30),
    type: "WITHDRAWAL_PAYOUT",
    amountCents: -1_250,
    balanceAfterCents: 100_001,
    description: '1 × metal-s in "fra"\n',
    referenceKind: "order",
    referenceId: "ord_1",
    previousHash: null,
  } as const;
  assert.equal(
    hashEntry(entry),
    "4059821330f019404ec621b04d4eadd448376695f6ff46dd5b5177f9ed031012",
  );
  assert.equal(
    hashEntry({ ...entry, previousHash: "00" }),
    "243da371f486cfb49ed470be533ae294c7c8a192191b04a000a45325ffe88c65",
  );
});
