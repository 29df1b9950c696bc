import { Type } from "typebox";
import { operation } from "../operation.ts";
import { id, nullableText, time, usd, words } from "../schemas.ts";

export const ledgerTypes = [
  "DEPOSIT",
  "ORDER_CHARGE",
  "RENEWAL_CHARGE",
  "DDOS_CHARGE",
  "WITHDRAWAL_HOLD",
  "WITHDRAWAL_RELEASE",
  "WITHDRAWAL_PAID",
  "REFUND",
  "ADJUSTMENT",
] as const;

export const exampleHash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

export const ledgerEntry = Type.Object(
  {
    id: id("ledgerEntry"),
    createdAt: time,
    type: words(ledgerTypes),
    amountUsd: Type.Number({
      description:
        "The signed change of the available balance. 0 for WITHDRAWAL_PAID: the amount was held before.",
    }),
    balanceAfterUsd: usd,
    description: Type.String({ examples: ["1 × metal-s in fra, monthly"] }),
    reference: Type.Object(
      { kind: Type.String({ examples: ["order"] }), id: id("order") },
      { title: "LedgerReference" },
    ),
    previousHash: nullableText(
      "The `hash` of the entry before it; null on the first.",
      exampleHash,
    ),
    hash: nullableText(
      "Lower-case hex SHA-256 of the canonical JSON (RFC 8785) of this entry without `hash`. Null for a short time after an upgrade from a version without hashes.",
      exampleHash,
    ),
  },
  { title: "LedgerEntry" },
);

export const ledger = {
  readLedger: operation({
    listener: "account",
    tag: "Billing",
    method: "GET",
    path: "/api/v1/ledger",
    summary: "Read the ledger",
    description: "The 100 most recent entries, newest first.",
    extension: false,
    access: { kind: "session", scopes: ["billing"] },
    idempotency: "none",
    answers: {
      200: Type.Object(
        { balanceUsd: usd, heldUsd: usd, entries: Type.Array(ledgerEntry) },
        { title: "Ledger" },
      ),
    },
    errors: [],
  }),
};
