import { Type } from "typebox";
import { operation } from "../operation.ts";
import { count, text, time, words } from "../schemas.ts";
import { exampleHash } from "./ledger.ts";
import { statementSignature } from "./statements.ts";

const date = text("The UTC date on which the balances were read.", "2026-11-15");
const rootHash = text("The hash of the tree's root, in lower-case hex.", exampleHash);
const totalCents = count("The sum of the balances of all accounts, in cents.");
const at = { ...time, description: "When the balances were read. ISO 8601, UTC." };

// The answer is canonical JSON, because members are written in this order: alphabetical.
const head = Type.Object({ at, date, rootHash, totalCents }, { title: "LiabilitiesHead" });

const pathStep = Type.Object(
  {
    hash: text("The hash of the sibling, in lower-case hex.", exampleHash),
    side: words(["LEFT", "RIGHT"], { description: "The side on which the sibling is." }),
    sumCents: count("The sum of all balances below the sibling, in cents."),
  },
  { title: "LiabilitiesPathStep" },
);

const proof = Type.Object(
  {
    account: text("Lower-case hex SHA-256 of `salt:accountId`.", exampleHash),
    balanceCents: count("Your spendable and held balance together, in cents."),
    path: Type.Array(pathStep, {
      description: "The siblings on the way from your leaf to the root.",
    }),
    salt: text("Hides your account id in `account`. Another one each day.", exampleHash),
  },
  { title: "LiabilitiesProof" },
);

export const liabilities = {
  listLiabilities: operation({
    listener: "account",
    tag: "Billing",
    method: "GET",
    path: "/api/v1/liabilities",
    summary: "List signed liabilities",
    description:
      "The 100 most recent dates with signed liabilities, newest first. A date on which the service did not run has none.",
    extension: true,
    access: { kind: "session", scopes: [] },
    idempotency: "none",
    answers: {
      200: Type.Object(
        {
          liabilities: Type.Array(
            Type.Object({ date, rootHash, totalCents }, { title: "LiabilitiesRoot" }),
          ),
        },
        { title: "LiabilitiesList" },
      ),
    },
    errors: [],
  }),
  readLiabilities: operation({
    listener: "account",
    tag: "Billing",
    method: "GET",
    path: "/api/v1/liabilities/{date}",
    summary: "Read signed liabilities",
    description:
      "What the service owed to all customers on a date, signed, with the proof that your balance is part of it. Canonical JSON (RFC 8785). A Merkle sum tree: a leaf is SHA-256 of 0x00 and the canonical JSON of `{account, balanceCents}`, a node SHA-256 of 0x01 and the canonical JSON of `{left: {hash, sumCents}, right: {hash, sumCents}}`.",
    extension: true,
    access: { kind: "session", scopes: [] },
    idempotency: "none",
    answers: {
      200: Type.Object(
        {
          date,
          head,
          proof: Type.Union([proof, Type.Null()], {
            description:
              "Null if your account was opened after the balances were read, and for dates whose proofs are no longer kept.",
          }),
          rootHash,
          signature: statementSignature,
          totalCents,
        },
        { title: "Liabilities" },
      ),
    },
    errors: ["validation_failed"],
  }),
};
