import { Type } from "typebox";
import { limits } from "../limits.ts";
import { usdFromCents } from "../money.ts";
import { operation } from "../operation.ts";
import { id, usdInRequest, words } from "../schemas.ts";
import { asset } from "./deposits.ts";

const { min, max } = limits.withdrawalCents;

export const withdrawalRange = `must be from ${usdFromCents(min)} to ${usdFromCents(max)} USD, with at most two decimals`;

export const destination = Type.String({
  minLength: 1,
  maxLength: 128,
  description: "An address for the asset, with a valid checksum.",
  message: "must be an address for this asset",
});

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
