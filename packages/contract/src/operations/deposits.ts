import { Type } from "typebox";
import { operation } from "../operation.ts";
import { count, id, nullableTime, text, time, words } from "../schemas.ts";

export const assets = ["BTC", "LTC", "XMR", "ETH", "USDC", "USDT"] as const;
export type Asset = (typeof assets)[number];

export const settlementModes = ["LIVE", "TEST", "SIMULATED"] as const;
export type SettlementMode = (typeof settlementModes)[number];

export const asset = words(assets);
const mode = words(settlementModes, {
  description: "SIMULATED addresses can be paid on no network; TEST ones on a test network only.",
});

const depositAddress = Type.Object(
  {
    address: Type.String(),
    asset,
    network: text("The chain to pay on.", "bitcoin"),
    confirmationsRequired: count("How many confirmations a payment needs to be credited."),
    mode,
  },
  { title: "DepositAddress" },
);

const deposit = Type.Object(
  {
    id: id("deposit"),
    asset,
    network: Type.String(),
    mode,
    address: Type.String(),
    transactionId: Type.String(),
    amount: text("The amount in the asset, at its full precision.", "0.01500000"),
    usd: Type.Unsafe<number | null>({
      type: ["number", "null"],
      description: "What was credited; null until it is.",
    }),
    confirmations: count("How many it has."),
    confirmationsRequired: count("How many it needs."),
    state: words(["CONFIRMING", "CREDITED"]),
    seenAt: time,
    creditedAt: nullableTime,
  },
  { title: "Deposit" },
);

const ofBilling = { listener: "account", tag: "Billing" } as const;

export const deposits = {
  createDepositAddress: operation({
    ...ofBilling,
    access: { kind: "session", scopes: [] },
    method: "POST",
    path: "/api/v1/deposit-addresses",
    summary: "Create a deposit address",
    description:
      "Any amount that is ever paid to it is credited when it has its confirmations. After a 502 or 503 no address was made and the key is free.",
    extension: false,
    idempotency: "replay",
    body: Type.Object({ asset }, { additionalProperties: false }),
    answers: { 201: depositAddress },
    errors: ["settlement_failed", "settlement_unavailable", "limit_reached"],
  }),
  listDepositAddresses: operation({
    ...ofBilling,
    method: "GET",
    path: "/api/v1/deposit-addresses",
    summary: "List deposit addresses",
    description: "The latest 100, newest first. Each stays good for ever.",
    extension: true,
    access: { kind: "session", scopes: [] },
    idempotency: "none",
    answers: {
      200: Type.Object({
        depositAddresses: Type.Array(
          Type.Object(
            {
              id: id("depositAddress"),
              address: Type.String(),
              asset,
              network: text("The chain to pay on.", "bitcoin"),
              mode,
              createdAt: time,
              deposits: count("How many payments to it have been seen."),
            },
            { title: "ListedDepositAddress" },
          ),
        ),
      }),
    },
    errors: [],
  }),
  listDeposits: operation({
    ...ofBilling,
    method: "GET",
    path: "/api/v1/deposits",
    summary: "List deposits",
    description: "The latest 100, newest first.",
    extension: true,
    access: { kind: "session", scopes: [] },
    idempotency: "none",
    answers: { 200: Type.Object({ deposits: Type.Array(deposit) }) },
    errors: [],
  }),
};
