import { Type } from "typebox";
import { idPrefixes } from "../ids.ts";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import { afterId } from "../operator-fields.ts";
import { id, integerInQuery, nullableText, time, usd, words } from "../schemas.ts";

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
    description: Type.String({ examples: ["1 × Metal S in Frankfurt, monthly"] }),
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

const timeInQuery = (description: string) =>
  Type.Optional(
    Type.String({
      pattern: String.raw`^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,3})?Z)?$`,
      description,
      message: "must be a date such as 2026-11-01 or a UTC time such as 2026-11-01T09:30:00Z",
      examples: ["2026-11-01"],
    }),
  );

const typesInQuery = Type.String({
  pattern: `^(?:${ledgerTypes.join("|")})(?:,(?:${ledgerTypes.join("|")})){0,${ledgerTypes.length - 1}}$`,
  description: `Only entries of these types, separated by commas: ${ledgerTypes.join(", ")}.`,
  message: `must be one or more of ${ledgerTypes.join(", ")}, separated by commas`,
  examples: ["WITHDRAWAL_HOLD,WITHDRAWAL_PAID,WITHDRAWAL_RELEASE"],
});

/** A period of the ledger in a query. */
export const periodInQuery = {
  from: timeInQuery("Start of the period, inclusive. By default, the first entry."),
  to: timeInQuery("End of the period, exclusive. By default, now."),
};

const referenceInQuery = Type.String({
  pattern: "^[a-z]{3}_[0-9a-z]{26}$",
  description:
    "Only entries with this `reference.id`. A server's id also finds the charge of the order that it came with.",
  message: "must be the id of a server, an order, a deposit or a withdrawal",
  examples: [`${idPrefixes.server}_01kfxq8n3ve7wt5c2m9hzr4d6y`],
});

const asExtension = {
  listener: "account",
  tag: "Billing",
  method: "GET",
  extension: true,
  access: { kind: "session", scopes: ["billing"] },
  idempotency: "none",
  errors: [],
} as const;

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
  listLedgerEntries: operation({
    ...asExtension,
    path: "/api/v1/ledger/entries",
    summary: "List ledger entries",
    description:
      "The whole ledger in pages, newest first. The last page is the first that has fewer entries than `limit`. The filters can be combined.",
    query: Type.Object(
      {
        after: afterId("ledgerEntry"),
        limit: Type.Optional(
          integerInQuery(
            { min: 1, max: limits.listLength },
            { description: `Entries per page. By default, ${limits.listLength}.` },
          ),
        ),
        ...periodInQuery,
        type: Type.Optional(typesInQuery),
        reference: Type.Optional(referenceInQuery),
      },
      { additionalProperties: false },
    ),
    answers: { 200: Type.Object({ entries: Type.Array(ledgerEntry) }) },
  }),
  readLedgerEntry: operation({
    ...asExtension,
    path: "/api/v1/ledger/entries/{id}",
    summary: "Read a ledger entry",
    answers: { 200: ledgerEntry },
  }),
};
