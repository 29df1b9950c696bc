import { Type } from "typebox";
import { operation } from "../operation.ts";
import { count, id, nullableText, text, time, usd } from "../schemas.ts";
import { exampleHash, ledgerEntry, periodInQuery } from "./ledger.ts";

const keyId = text("Identifies the key that signed.", "Xq3vTn0c8hZ1mB7d");

export const statementSignature = Type.Object(
  {
    keyId,
    value: text(
      "Ed25519 signature of the canonical JSON of `head`, in base64url without padding.",
      "5VZDAMNgrHKQhuLMgG6CioSHfx645dl02HPgZSJJAVVfuIIVkKM7rMYeOXAc-bRr0lv18FlbviRlUUFDjnoQCw",
    ),
  },
  { title: "StatementSignature" },
);

const statement = Type.Object(
  {
    openingBalanceUsd: usd,
    closingBalanceUsd: usd,
    previousHash: nullableText(
      "The `hash` of the last entry before the period; null if there is none.",
      exampleHash,
    ),
    entries: Type.Array(ledgerEntry, { description: "All entries of the period, oldest first." }),
    head: Type.Object(
      {
        account: id("account"),
        hash: nullableText(
          "The `hash` of the last entry, or `previousHash` if the period has none.",
          exampleHash,
        ),
        count: count("The number of entries of the account up to the last one of the period."),
        at: { ...time, description: "When the service signed it. ISO 8601, UTC." },
      },
      { title: "StatementHead" },
    ),
    signature: statementSignature,
  },
  { title: "Statement" },
);

const statementKey = Type.Object(
  {
    keyId,
    kty: Type.Literal("OKP"),
    crv: Type.Literal("Ed25519"),
    x: text("The public key in base64url.", "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"),
  },
  { title: "StatementKey" },
);

export const statements = {
  readStatement: operation({
    listener: "account",
    tag: "Billing",
    method: "GET",
    path: "/api/v1/statement",
    summary: "Read a signed statement",
    description:
      "All ledger entries of a period with their hashes, signed by the service. Streamed as canonical JSON (RFC 8785), or as CSV with `accept: text/csv`.",
    extension: true,
    access: { kind: "session", scopes: ["billing"] },
    idempotency: "none",
    streamed: ["json", "csv"],
    query: Type.Object(periodInQuery, { additionalProperties: false }),
    answers: { 200: statement },
    errors: [],
  }),
  listStatementKeys: operation({
    listener: "account",
    tag: "Billing",
    method: "GET",
    path: "/.well-known/ironlease-statement-keys.json",
    summary: "List statement keys",
    description:
      "The public keys that verify statements, newest first. Keys that no longer sign stay in the list.",
    extension: true,
    access: { kind: "public" },
    idempotency: "none",
    answers: { 200: Type.Object({ keys: Type.Array(statementKey) }, { title: "StatementKeys" }) },
    errors: [],
  }),
};
