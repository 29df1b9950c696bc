import { Type } from "typebox";
import { operation } from "../../operation.ts";
import { asOperator } from "../../operator-fields.ts";
import { count, text, time, usd } from "../../schemas.ts";

const monthQuery = Type.Object(
  {
    month: Type.Optional(
      Type.String({
        pattern: String.raw`^20\d\d-(?:0[1-9]|1[0-2])$`,
        description: "A month in UTC. By default, the current one.",
        message: "must be a month such as 2026-11",
        examples: ["2026-11"],
      }),
    ),
  },
  { additionalProperties: false },
);

const month = text("In UTC.", "2026-11");
const charged = { chargedUsd: usd, refundedUsd: usd, revenueUsd: usd };
const offer = {
  configId: Type.String({ examples: ["metal-s"] }),
  regionId: Type.String({ examples: ["fra"] }),
};

const ofReports = { ...asOperator("finance"), tag: "Reports" } as const;

export const reports = {
  readRevenue: operation({
    ...ofReports,
    method: "GET",
    path: "/operator/v1/reports/revenue",
    summary: "Read the revenue of a month",
    description: "Charges minus refunds by day, configuration and region.",
    query: monthQuery,
    answers: {
      200: Type.Object(
        {
          month,
          ...charged,
          days: Type.Array(
            Type.Object({ day: text("UTC.", "2026-11-15"), ...charged }, { title: "RevenueDay" }),
            { description: "Up to today." },
          ),
          offers: Type.Array(Type.Object({ ...offer, ...charged }, { title: "OfferRevenue" })),
        },
        { title: "Revenue" },
      ),
    },
    errors: [],
  }),
  readRecurring: operation({
    ...ofReports,
    method: "GET",
    path: "/operator/v1/reports/recurring",
    summary: "Read the monthly recurring revenue",
    description:
      "What all delivered servers bring in 30 days at their prices, with DDoS protection. Weekly prices count 30/7 times.",
    answers: {
      200: Type.Object(
        {
          monthlyUsd: usd,
          servers: count("Delivered servers."),
          offers: Type.Array(
            Type.Object(
              { ...offer, servers: count("Delivered servers."), monthlyUsd: usd },
              { title: "RecurringOffer" },
            ),
          ),
        },
        { title: "RecurringRevenue" },
      ),
    },
    errors: [],
  }),
  readChurn: operation({
    ...ofReports,
    method: "GET",
    path: "/operator/v1/reports/churn",
    summary: "Read churn",
    description: "Delivered and ended servers of the last twelve months, this month last.",
    answers: {
      200: Type.Object(
        {
          months: Type.Array(
            Type.Object(
              {
                month,
                atStart: count("Delivered servers when the month began."),
                delivered: count("Servers that were delivered."),
                ended: count("Servers that ended after their delivery."),
                churnPercent: Type.Unsafe<number | null>({
                  type: ["number", "null"],
                  description:
                    "Ended servers in percent of those at the start, with one decimal. Null without any.",
                }),
              },
              { title: "MonthOfServers" },
            ),
          ),
        },
        { title: "Churn" },
      ),
    },
    errors: [],
  }),
  readBalanceAges: operation({
    ...ofReports,
    method: "GET",
    path: "/operator/v1/reports/balances",
    summary: "Read balances by age",
    description: "Customers' money by the days since the last ledger entry of the account.",
    answers: {
      200: Type.Object(
        {
          ages: Type.Array(
            Type.Object(
              {
                fromDays: count("Days since the last entry, at least."),
                toDays: Type.Unsafe<number | null>({
                  type: ["integer", "null"],
                  description: "Less than these days. Null: no limit.",
                }),
                accounts: count("Accounts with money."),
                availableUsd: usd,
                heldUsd: usd,
              },
              { title: "BalanceAge" },
            ),
          ),
        },
        { title: "BalanceAges" },
      ),
    },
    errors: [],
  }),
  exportLedger: operation({
    ...ofReports,
    method: "GET",
    path: "/operator/v1/reports/ledger",
    summary: "Export the ledger of a month",
    description:
      "Every entry of the ledger in double entry, oldest first, customers' and the house's. Streamed as JSON, or as CSV with `accept: text/csv`. A response without its end is incomplete.",
    streamed: ["json", "csv"],
    attachment: true,
    query: monthQuery,
    answers: {
      200: Type.Object(
        {
          month,
          entries: Type.Array(
            Type.Object(
              {
                at: time,
                id: text("The id of the entry.", "led_01kfxq8n3ve7wt5c2m9hzr4d6y"),
                debitAccount: text("The account that the entry debits.", "house/settlement/BTC"),
                creditAccount: text(
                  "The account that the entry credits.",
                  "customer/acc_01kfxq8n3ve7wt5c2m9hzr4d6y/spendable",
                ),
                amountUsd: usd,
                type: text("The kind of movement.", "DEPOSIT"),
                reference: text(
                  "The record that caused the entry.",
                  "deposit/dep_01kfxq8n3ve7wt5c2m9hzr4d6y",
                ),
              },
              { title: "ExportedEntry" },
            ),
          ),
        },
        { title: "LedgerExport" },
      ),
    },
    errors: [],
  }),
};
