import { Type } from "typebox";
import { operation } from "../operation.ts";
import { count, id, nullableTime, text, time, words } from "../schemas.ts";

export const assets = ["BTC", "LTC", "XMR", "ETH", "USDC", "USDT"] as const;
export type Asset = (typeof assets)[number];

export const settlementModes = ["LIVE", "TEST", "SIMULATED"] as const;
export type SettlementMode = (typeof settlementModes)[number];

export const asset = words(assets);
export const settlementMode = words(settlementModes, {
  description:
    "SIMULATED addresses exist on no network. TEST addresses exist on a test network only.",
});

const depositAddress = Type.Object(
  {
    address: Type.String(),
    asset,
    network: text("The blockchain to pay on.", "bitcoin"),
    confirmationsRequired: count("Confirmations that a payment needs before it is credited."),
    mode: settlementMode,
  },
  { title: "DepositAddress" },
);

/** USD per coin in an answer, and where it came from. */
export const usdPerCoin = text("USD per coin, as a decimal string.", "80.00");
export const rateSources = Type.Array(
  text("A host name, `operator`, `fixed` or `simulated`.", "operator"),
  { description: "Where the rate came from." },
);

const depositRate = Type.Object(
  { usd: usdPerCoin, at: time, sources: rateSources },
  { title: "DepositRate" },
);

const deposit = Type.Object(
  {
    id: id("deposit"),
    asset,
    network: Type.String(),
    mode: settlementMode,
    address: Type.String(),
    transactionId: Type.String(),
    amount: text("Amount in the asset, at full precision.", "0.01500000"),
    usd: Type.Unsafe<number | null>({
      type: ["number", "null"],
      description: "Credited amount in USD, or null until the deposit is credited.",
    }),
    confirmations: count("Confirmations so far."),
    confirmationsRequired: count("Confirmations needed."),
    state: words(["CONFIRMING", "CREDITED"]),
    rate: Type.Union([depositRate, Type.Null()], {
      description: "The rate at which the deposit was credited, or null until then.",
    }),
    seenAt: time,
    creditedAt: nullableTime,
  },
  { title: "Deposit" },
);

const listedAddress = {
  id: id("depositAddress"),
  address: Type.String(),
  asset,
  network: text("The blockchain to pay on.", "bitcoin"),
  mode: settlementMode,
  createdAt: time,
  deposits: count("Payments seen so far."),
};

const ofBilling = { listener: "account", tag: "Billing" } as const;

export const deposits = {
  createDepositAddress: operation({
    ...ofBilling,
    access: { kind: "session", scopes: [] },
    method: "POST",
    path: "/api/v1/deposit-addresses",
    summary: "Create a deposit address",
    description:
      "Every payment to the address is credited once it has enough confirmations. After a 502 or 503 no address was created, and you can reuse the key.",
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
    description: "The 100 most recent, newest first. Addresses never expire.",
    extension: true,
    access: { kind: "session", scopes: [] },
    idempotency: "none",
    answers: {
      200: Type.Object({
        depositAddresses: Type.Array(Type.Object(listedAddress, { title: "ListedDepositAddress" })),
      }),
    },
    errors: [],
  }),
  listDeposits: operation({
    ...ofBilling,
    method: "GET",
    path: "/api/v1/deposits",
    summary: "List deposits",
    description: "The 100 most recent, newest first.",
    extension: true,
    access: { kind: "session", scopes: [] },
    idempotency: "none",
    answers: { 200: Type.Object({ deposits: Type.Array(deposit) }) },
    errors: [],
  }),
  readDepositAddress: operation({
    ...ofBilling,
    method: "GET",
    path: "/api/v1/deposit-addresses/{id}",
    summary: "Read a deposit address",
    description: "With the 20 most recent payments to it, newest first.",
    extension: true,
    access: { kind: "session", scopes: [] },
    idempotency: "none",
    answers: {
      200: Type.Object(
        {
          ...listedAddress,
          confirmationsRequired: count("Confirmations that a small payment needs."),
          latestDeposits: Type.Array(deposit),
        },
        { title: "DepositAddressDetail" },
      ),
    },
    errors: [],
  }),
};
