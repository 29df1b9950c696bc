import { Type } from "typebox";
import { limits } from "../../limits.ts";
import { operation } from "../../operation.ts";
import { afterId, asOperator, reason } from "../../operator-fields.ts";
import { id, nullableText, nullableTime, text, time, usd, words } from "../../schemas.ts";
import { asset, usdPerCoin } from "../deposits.ts";

const payoutStates = [
  "PREPARED",
  "SIGNED",
  "BROADCAST",
  "CONFIRMED",
  "CANCELLED",
  "FAILED",
] as const;

const transaction = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

const paidWithdrawal = Type.Object(
  {
    withdrawalId: id("withdrawal"),
    workId: id("work"),
    accountId: id("account"),
    username: text("The customer.", "jane"),
    destination: text("The address that is paid.", "ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9"),
    usd,
    amount: text("In whole coins.", "1.25000000"),
  },
  { title: "PaidWithdrawal" },
);

const summary = {
  id: id("payout"),
  state: words(payoutStates, {
    description:
      "PREPARED: waits for a signature. SIGNED: waits for approval. BROADCAST: sent, the withdrawals are booked as paid. CONFIRMED: deep enough in the chain. CANCELLED: never sent. FAILED: can no longer be mined, and a person must decide.",
  }),
  createdAt: time,
  asset,
  network: text("The blockchain, with its test network if it is one.", "litecoin"),
  format: words(["psbt", "evm", "monero"], {
    description: "How the transaction is written: base64, 0x-hex or hex.",
  }),
  amount: text("What the withdrawals get together, in whole coins.", "1.25000000"),
  usd,
  fee: text(
    "The network's fee, in whole coins of `feeAsset`. The house pays it. Until the payout is CONFIRMED, the most that it can be.",
    "0.00001410",
  ),
  feeAsset: asset,
  rate: usdPerCoin,
  expiresAt: { ...nullableTime, description: "When an unsigned payout is cancelled, or null." },
  preparedBy: text("An operator.", "alice"),
  signedBy: nullableText("The operator who uploaded the signed transaction, or null.", "alice"),
  broadcastBy: nullableText("The operator who approved it, or null.", "bob"),
  broadcastAt: nullableTime,
  transactionId: nullableText("Null while it is unknown.", transaction),
  from: nullableText(
    "The address that pays, if the transaction has only one, or null.",
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  ),
  confirmations: Type.Integer({ minimum: 0, description: "0 until it is in a block." }),
  confirmationsRequired: Type.Integer({ minimum: 1, description: "For CONFIRMED." }),
  endedAt: nullableTime,
  error: nullableText(
    "Why it was cancelled, why it failed, or why the node does not accept it, or null.",
    "The destination was wrong.",
  ),
  bumpFee: nullableText(
    "The fee of a replacement that was prepared and not sent yet, or null.",
    "0.00002820",
  ),
  bumpSigned: Type.Boolean({ description: "Whether the replacement was uploaded signed." }),
  withdrawals: Type.Array(paidWithdrawal),
};

const payoutSummary = Type.Object(summary, { title: "PayoutSummary" });

const payout = Type.Object(
  {
    ...summary,
    unsigned: text(
      "The transaction to sign. Of a bump, if there is one.",
      "cHNidP8BAAoCAAAAAAAAAAAAAA==",
    ),
  },
  { title: "Payout" },
);

const ofPayouts = { ...asOperator("finance"), tag: "Payouts" } as const;

export const payouts = {
  listPayouts: operation({
    ...ofPayouts,
    ...asOperator("support"),
    method: "GET",
    path: "/operator/v1/payouts",
    summary: "List payouts",
    description: "Newest first, 100 per page.",
    query: Type.Object({ after: afterId("payout") }, { additionalProperties: false }),
    answers: { 200: Type.Object({ payouts: Type.Array(payoutSummary) }) },
    errors: [],
  }),
  readPayout: operation({
    ...ofPayouts,
    ...asOperator("support"),
    method: "GET",
    path: "/operator/v1/payouts/{id}",
    summary: "Read a payout",
    answers: { 200: payout },
    errors: [],
  }),
  preparePayout: operation({
    ...ofPayouts,
    method: "POST",
    path: "/operator/v1/payouts",
    summary: "Prepare a payout",
    description:
      "Builds an unsigned transaction that pays one or more withdrawals of one asset at the rate of this moment. You must hold the claims on their work items. Sign it elsewhere and upload it within 30 minutes. Until the payout is cancelled, its withdrawals cannot be paid or rejected otherwise.",
    idempotency: "replay",
    body: Type.Object(
      {
        workIds: Type.Array(
          Type.String({
            minLength: 1,
            maxLength: limits.payoutWorkIdLength,
            examples: ["wrk_01kfxq8n3ve7wt5c2m9hzr4d6y"],
          }),
          {
            minItems: 1,
            maxItems: limits.payoutWithdrawals,
            description: "WITHDRAWAL work items that you have claimed.",
            message: `must be 1 to ${limits.payoutWithdrawals} ids of work items`,
          },
        ),
      },
      { additionalProperties: false },
    ),
    answers: { 201: payout },
    errors: ["conflict", "settlement_failed", "settlement_unavailable"],
  }),
  acceptSignedPayout: operation({
    ...ofPayouts,
    method: "POST",
    path: "/operator/v1/payouts/{id}/signed",
    summary: "Upload a signed payout",
    description:
      "The signed transaction may differ from the prepared one in its signatures only: other outputs, inputs or fees are 400 with the reason. Nothing is sent yet.",
    bodyBytes: limits.operatorImportBytes,
    body: Type.Object(
      {
        signed: Type.String({
          minLength: 1,
          maxLength: limits.signedPayoutLength,
          description:
            "In the format of the payout. A PSBT may be final or not. For Monero: one JSON object with the results of `sign_transfer` and `export_key_images`.",
          examples: ["cHNidP8BAAoCAAAAAAAAAAAAAA=="],
          message: `must be 1 to ${limits.signedPayoutLength} characters`,
        }),
      },
      { additionalProperties: false },
    ),
    answers: { 200: payout },
    errors: ["conflict", "settlement_failed", "settlement_unavailable"],
  }),
  broadcastPayout: operation({
    ...ofPayouts,
    method: "POST",
    path: "/operator/v1/payouts/{id}/broadcast",
    summary: "Broadcast a payout",
    description:
      "Approves the payout: its withdrawals are booked as paid, its work items are DONE, and the signed bytes are sent. Broadcasting again sends the same bytes. At or above the amount that needs two operators, the operator who prepared the payout gets 403. If the node refuses the bytes later, `error` says why and the service keeps trying.",
    answers: { 200: payout },
    errors: ["conflict", "role_forbidden", "settlement_failed", "settlement_unavailable"],
  }),
  bumpPayout: operation({
    ...ofPayouts,
    method: "POST",
    path: "/operator/v1/payouts/{id}/bump",
    summary: "Raise the fee of a payout",
    description:
      "Prepares a replacement with a higher fee for a BROADCAST payout that is in no block. It spends the same coins, so only one of them can confirm. Sign, upload and broadcast it like the first one.",
    answers: { 200: payout },
    errors: ["conflict", "settlement_failed", "settlement_unavailable"],
  }),
  cancelPayout: operation({
    ...ofPayouts,
    method: "POST",
    path: "/operator/v1/payouts/{id}/cancel",
    summary: "Cancel a payout",
    description:
      "Possible until the payout is broadcast. Its coins are free and its work items OPEN again.",
    body: Type.Object(
      { reason: { ...reason, description: "Shown with the payout and in the audit log." } },
      { additionalProperties: false },
    ),
    answers: { 200: payout },
    errors: ["conflict"],
  }),
};
