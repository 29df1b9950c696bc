import * as read from "./setting-readers.ts";

/** Settings for the keys that are kept outside the database, and for what they sign. */
export const keySettings = {
  secretFile: {
    name: "IRONLEASE_SECRET_FILE",
    default: undefined,
    meaning:
      "File with the key that encrypts the operators' second factors, the secrets of webhooks, and confirmation codes that wait to be mailed. By default, `secret.key` in the data folder, created at the first start. Instances on several machines need the same key.",
    read: read.text,
  },
  statementKeyFile: {
    name: "IRONLEASE_STATEMENT_KEY_FILE",
    default: undefined,
    meaning:
      "File with the Ed25519 key that signs statements. By default, `statement.key` in the data folder, created at the first start. [Rotate it](../guides/run-it.md#the-statement-key) by adding a line above the others.",
    read: read.text,
  },
  keepProofsMs: {
    name: "IRONLEASE_KEEP_PROOFS",
    default: "400d",
    meaning:
      "How long customers can read the proof that their balance is part of a date's liabilities. The signed totals stay for ever. A day takes about 45 bytes for each account.",
    read: read.duration,
  },
} as const;
