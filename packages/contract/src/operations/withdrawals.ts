import { Type } from "typebox";
import { limits } from "../limits.ts";
import { usdFromCents } from "../money.ts";
import { operation } from "../operation.ts";
import { id, usdInRequest, words } from "../schemas.ts";
import { asset } from "./deposits.ts";

const { min, max } = limits.withdrawalCents;

/** What is wrong with an amount outside the range or with fractions of a cent. */
export const withdrawalRange = `must be from ${usdFromCents(min)} to ${usdFromCents(max)} with at most two decimals`;

export const withdrawals = {
  requestWithdrawal: operation({
    listener: "account",
    tag: "Billing",
    access: { kind: "session", scopes: [] },
    method: "POST",
    path: "/api/v1/withdrawals",
    summary: "Request a withdrawal",
    description:
      "Holds the sum until an operator has reviewed the request. A key that was used is a conflict, never a replay.",
    extension: false,
    idempotency: "conflict",
    body: Type.Object(
      {
        asset,
        destination: Type.String({
          minLength: 1,
          maxLength: 128,
          description: "An address of that asset, with a correct checksum.",
          message: "must be an address of that asset",
        }),
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
    errors: ["insufficient_balance"],
  }),
};
