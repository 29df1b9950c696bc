import { Type } from "typebox";
import { limits } from "../limits.ts";
import { usdFromCents } from "../money.ts";
import { operation } from "../operation.ts";
import { id, nullableText, nullableTime, time, usd, usdInRequest, words } from "../schemas.ts";
import { asset } from "./deposits.ts";

const { min, max } = limits.withdrawalCents;

export const withdrawalRange = `must be from ${usdFromCents(min)} to ${usdFromCents(max)} USD, with at most two decimals`;

export const destination = Type.String({
  minLength: 1,
  maxLength: 128,
  description: "An address for the asset, with a valid checksum.",
  message: "must be an address for this asset",
});

/** A withdrawal in an account's export and at the desk. No route reports the status of a review to customers. */
export const withdrawalRecord = Type.Object(
  {
    id: id("withdrawal"),
    asset,
    destination: Type.String({ examples: ["bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"] }),
    usd,
    status: words(["PENDING_REVIEW", "PAID", "REJECTED"]),
    transactionId: nullableText(
      "The payment, or null until it is made.",
      "4a5e1e4baab89f3a32518a88c31bc87f618f76673e2cc77ab2127b7afdeda33b",
    ),
    reason: nullableText("Why it was rejected; else null.", "The address belongs to an exchange."),
    createdAt: time,
    resolvedAt: nullableTime,
  },
  { title: "WithdrawalRecord" },
);

export const withdrawals = {
  requestWithdrawal: operation({
    listener: "account",
    tag: "Billing",
    access: { kind: "session", scopes: [] },
    method: "POST",
    path: "/api/v1/withdrawals",
    summary: "Request a withdrawal",
    description:
      "Holds the amount until an operator has reviewed the request. A used key always returns `idempotency_conflict`, never the first response. While withdrawals are locked, only saved addresses that are usable are accepted.",
    extension: false,
    idempotency: "conflict",
    body: Type.Object(
      {
        asset,
        destination,
        usd: usdInRequest(withdrawalRange),
      },
      { additionalProperties: false },
    ),
    answers: {
      201: Type.Object(
        { id: id("withdrawal"), status: words(["PENDING_REVIEW"]) },
        { title: "Withdrawal" },
      ),
    },
    errors: ["insufficient_balance", "destination_not_allowed"],
  }),
};
