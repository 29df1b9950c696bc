import * as read from "./setting-readers.ts";

/** The settings of deposits and rates. */
export const settlementSettings = {
  settlement: {
    name: "IRONLEASE_SETTLEMENT",
    default: { preview: "simulated", serve: "none" },
    meaning:
      "Settlement: the path of a [settlement file](../guides/connect-bitcoin.md), `simulated` (preview only), or `none`, which refuses deposits.",
    read: read.settlement,
  },
  settlementLagMs: {
    name: "IRONLEASE_SETTLEMENT_LAG",
    default: "15m",
    meaning:
      "New deposit addresses are refused when the last scan of their chain is older than this.",
    read: read.duration,
  },
  settlementEveryMs: {
    name: "IRONLEASE_SETTLEMENT_EVERY",
    default: { preview: "1s", serve: "30s" },
    meaning: "How often to poll the settlement provider for payments.",
    read: read.duration,
  },
  explorers: {
    name: "IRONLEASE_EXPLORERS",
    default: undefined,
    meaning:
      "Block explorers for the links on the deposit page, comma-separated, such as `BTC=https://explorer.example/tx/{transactionId}`. By default, there are no links.",
    read: read.explorers,
  },
} as const;
