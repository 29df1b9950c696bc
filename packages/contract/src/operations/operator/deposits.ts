import { Type } from "typebox";
import { operation } from "../../operation.ts";
import { afterId, asOperator, search } from "../../operator-fields.ts";
import { words } from "../../schemas.ts";
import { deposits } from "../deposits.ts";

export const customerDeposit = Type.Object(
  {
    ...deposits.listDeposits.answers[200].properties.deposits.items.properties,
    accountId: Type.String(),
    username: Type.String(),
  },
  { title: "CustomerDeposit" },
);

export const operatorDeposits = {
  listAllDeposits: operation({
    ...asOperator("support"),
    tag: "Oversight",
    method: "GET",
    path: "/operator/v1/deposits",
    summary: "List the deposits of all accounts",
    description: "Newest first, 100 per page.",
    query: Type.Object(
      {
        state: Type.Optional(words(["CONFIRMING", "CREDITED"])),
        query: search(
          "A deposit address, a transaction id or an account id.",
          "acc_01kfxq8n3ve7wt5c2m9hzr4d6y",
        ),
        after: afterId("deposit"),
      },
      { additionalProperties: false },
    ),
    answers: { 200: Type.Object({ deposits: Type.Array(customerDeposit) }) },
    errors: [],
  }),
  simulatePayment: operation({
    ...asOperator("finance"),
    tag: "Oversight",
    method: "POST",
    path: "/operator/v1/simulated-payments",
    summary: "Simulate a payment",
    description:
      "Only with the simulated provider. Send the same `transactionId` again to change its confirmations.",
    body: Type.Object(
      {
        address: Type.String({
          minLength: 1,
          maxLength: 128,
          message: "must be a simulated address",
        }),
        amount: Type.String({
          minLength: 1,
          maxLength: 40,
          pattern: "^\\d+(?:\\.\\d+)?$",
          description: "Amount in the asset, as a decimal string.",
          message: "must be a decimal string such as 0.01",
        }),
        confirmations: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 1_000_000,
            message: "must be a whole number, 0 or more",
          }),
        ),
        transactionId: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 100,
            pattern: "^[A-Za-z0-9_-]+$",
            message: "must be 1 to 100 letters, digits, hyphens or underscores",
          }),
        ),
      },
      { additionalProperties: false },
    ),
    answers: { 201: Type.Object({ transactionId: Type.String() }) },
    errors: ["settlement_unavailable"],
  }),
};
