import { Type } from "typebox";
import { operation } from "../../operation.ts";
import { asOperator } from "../../operator-fields.ts";
import { nullableText, nullableTime, text, time, words } from "../../schemas.ts";
import { asset, rateSources, settlementMode } from "../deposits.ts";
import { customerDeposit } from "./deposits.ts";

const alarmKinds = [
  "LOST_AFTER_CREDIT",
  "DEPOSIT_TO_CLOSED_ACCOUNT",
  "CHAIN_UNAVAILABLE",
  "CHAIN_LAGGING",
  "UNEXPLAINED_BALANCE",
  "PAYOUT_FAILED",
  "PAYOUT_REFUSED",
] as const;

const network = text("The blockchain, with its test network if it is one.", "litecoin");

const nullableCount = (description: string, example: number) =>
  Type.Unsafe<number | null>({
    type: ["integer", "null"],
    minimum: 0,
    description,
    examples: [example],
  });

const balance = Type.Object(
  {
    asset,
    walletUnits: nullableText(
      "What the node sees in the watch-only wallet, in the asset's smallest unit. Null before it was read, and where payouts are not supported.",
      "1250000000",
    ),
    walletAt: { ...nullableTime, description: "When the node was asked for it, or null." },
    ledgerUnits: text(
      "What the wallet should hold, in the asset's smallest unit: all credited deposits, less the coins of payouts and their fees.",
      "1250000000",
    ),
  },
  { title: "SettlementBalance" },
);

const chain = Type.Object(
  {
    network,
    mode: settlementMode,
    assets: Type.Array(asset),
    height: nullableCount("The node's height now, or null if the node cannot be used.", 2_804_511),
    behindBlocks: nullableCount("Blocks that the node knows of and has not verified yet.", 0),
    scannedHeight: nullableCount("How far the service has scanned the chain.", 2_804_511),
    scannedAt: {
      ...nullableTime,
      description: "When a scan last reached the node's height, or null before the first.",
    },
    error: nullableText(
      "Why no deposit address is issued on this chain now, or null.",
      "litecoin did not answer within 10000 ms",
    ),
    balances: Type.Array(balance, { description: "One per asset." }),
  },
  { title: "SettlementChain" },
);

const rate = Type.Object(
  {
    asset,
    usd: Type.Unsafe<string | null>({
      type: ["string", "null"],
      description: "USD per coin, or null if there is no usable rate. `GET rates` has the reason.",
      examples: ["80.00"],
    }),
    at: nullableTime,
    validUntil: { ...nullableTime, description: "From then on the rate is not used." },
    sources: rateSources,
  },
  { title: "SettlementRate" },
);

const alarm = Type.Object(
  {
    id: text("The same while the alarm lasts.", "CHAIN_LAGGING/litecoin"),
    kind: words(alarmKinds, {
      description:
        "LOST_AFTER_CREDIT: a credited payment no longer has its confirmations. Nothing is debited automatically. DEPOSIT_TO_CLOSED_ACCOUNT: a payment arrived after the customer closed the account, and its balance is not returned yet. CHAIN_UNAVAILABLE: the node cannot be used. CHAIN_LAGGING: the last scan is too old. UNEXPLAINED_BALANCE: one of the latest addresses holds more than the node reported. PAYOUT_FAILED: a payout can no longer be mined; shown for 30 days. PAYOUT_REFUSED: the node does not accept a payout that was broadcast.",
    }),
    network,
    transactionId: nullableText(
      "The lost payment or the payout, or null.",
      "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    ),
    detail: text(
      "What happened.",
      "The last scan of litecoin was at 2026-11-15T09:12:00.000Z. No deposit address is issued until the next one.",
    ),
    at: time,
  },
  { title: "SettlementAlarm" },
);

export const settlement = {
  readSettlement: operation({
    ...asOperator("support"),
    tag: "Oversight",
    method: "GET",
    path: "/operator/v1/settlement",
    summary: "Read the state of settlement",
    description:
      "Asks every node now. A node that does not answer has a null `height` and an `error`, and the others are not affected. Without a settlement provider all lists are empty.",
    answers: {
      200: Type.Object(
        {
          chains: Type.Array(chain),
          rates: Type.Array(rate, {
            description: "One per connected asset: the rate at which a payment is credited now.",
          }),
          waiting: Type.Array(customerDeposit, {
            description:
              "Deposits that have their confirmations and are not credited, oldest first, at most 100.",
          }),
          alarms: Type.Array(alarm, { description: "At most 100 lost payments." }),
        },
        { title: "SettlementState" },
      ),
    },
    errors: [],
  }),
};
