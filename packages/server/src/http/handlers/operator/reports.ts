import { usdFromCents } from "@ironlease/contract";
import { csvRow, ledgerCells, ledgerHeader } from "@ironlease/csv";
import { readBalanceAges } from "#features/reports/balance-ages.ts";
import { readChurn } from "#features/reports/churn.ts";
import { exportLedger, type ExportedEntry } from "#features/reports/export-ledger.ts";
import { readRecurring } from "#features/reports/recurring.ts";
import { readRevenue } from "#features/reports/revenue.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import { jsonStream } from "#http/answers/json-stream.ts";
import type { Handlers } from "#http/bind.ts";
import { prefersCsv } from "#http/wire/accept.ts";

type Reports = "readRevenue" | "readRecurring" | "readChurn" | "readBalanceAges" | "exportLedger";

export function reportHandlers(core: Core): Handlers<Reports> {
  return {
    readRevenue: async ({ query }) => {
      const { month, days, offers } = await readRevenue(core, query.month);
      const charged = sumOf(days, ({ chargedCents }) => chargedCents);
      const refunded = sumOf(days, ({ refundedCents }) => refundedCents);
      const body = {
        month,
        ...revenueOnWire({ chargedCents: charged, refundedCents: refunded }),
        days: days.map(({ day, ...sums }) => ({ day, ...revenueOnWire(sums) })),
        offers: offers.map(({ configId, regionId, ...sums }) => ({
          configId,
          regionId,
          ...revenueOnWire(sums),
        })),
      };
      return ok({ status: 200, body });
    },
    readRecurring: async () => {
      const offers = await readRecurring(core);
      const body = {
        monthlyUsd: usdFromCents(sumOf(offers, ({ monthlyCents }) => monthlyCents)),
        servers: sumOf(offers, ({ servers }) => servers),
        offers: offers.map(({ monthlyCents, ...offer }) => ({
          ...offer,
          monthlyUsd: usdFromCents(monthlyCents),
        })),
      };
      return ok({ status: 200, body });
    },
    readChurn: async () => {
      const months = (await readChurn(core)).map((month) => ({
        ...month,
        churnPercent:
          month.atStart === 0 ? null : Math.round((1_000 * month.ended) / month.atStart) / 10,
      }));
      return ok({ status: 200, body: { months } });
    },
    readBalanceAges: async () => {
      const ages = (await readBalanceAges(core)).map(({ availableCents, heldCents, ...age }) => ({
        ...age,
        availableUsd: usdFromCents(availableCents),
        heldUsd: usdFromCents(heldCents),
      }));
      return ok({ status: 200, body: { ages } });
    },
    exportLedger: async ({ query, accept }) => {
      const { month, pages } = exportLedger(core, query.month);
      const isCsv = prefersCsv(accept);
      return ok({
        status: 200,
        fileName: `ledger-${month}.${isCsv ? "csv" : "json"}`,
        contentType: `${isCsv ? "text/csv" : "application/json"}; charset=utf-8`,
        chunks: isCsv
          ? csvOf(pages())
          : jsonStream([
              ["month", month],
              ["entries", onWire(pages())],
            ]),
      });
    },
  };
}

function revenueOnWire({
  chargedCents,
  refundedCents,
}: {
  chargedCents: number;
  refundedCents: number;
}) {
  return {
    chargedUsd: usdFromCents(chargedCents),
    refundedUsd: usdFromCents(refundedCents),
    revenueUsd: usdFromCents(chargedCents - refundedCents),
  };
}

function sumOf<Row>(rows: readonly Row[], centsOf: (row: Row) => number): number {
  return rows.reduce((sum, row) => sum + centsOf(row), 0);
}

function entryOnWire({ at, cents, ...entry }: ExportedEntry) {
  return { at: isoTime(at), ...entry, amountUsd: usdFromCents(cents) };
}

async function* onWire(pages: AsyncIterable<readonly ExportedEntry[]>) {
  for await (const page of pages) yield page.map(entryOnWire);
}

async function* csvOf(pages: AsyncIterable<readonly ExportedEntry[]>): AsyncGenerator<string> {
  yield `${csvRow(ledgerHeader)}\r\n`;
  for await (const page of onWire(pages)) {
    yield page.map((entry) => `${csvRow(ledgerCells(entry))}\r\n`).join("");
  }
}
