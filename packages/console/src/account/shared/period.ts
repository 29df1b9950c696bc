export const periodChoices = {
  "this-month": "This month",
  "last-month": "Last month",
  "this-year": "This year",
  all: "Everything",
  custom: "Custom",
} as const;

export type PeriodChoice = keyof typeof periodChoices;

/** UTC dates. The end is exclusive, as the API has it. */
export interface Period {
  readonly from?: string;
  readonly to?: string;
}

/** Two dates as the user enters them; the last day is part of the period. */
export interface CustomDays {
  readonly first: string;
  readonly last: string;
}

/** The period of a choice, or undefined for custom days that are incomplete or in the wrong order. */
export function periodOf(
  choice: PeriodChoice,
  { first, last }: CustomDays,
  now: Date,
): Period | undefined {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  switch (choice) {
    case "this-month":
      return { from: day(year, month, 1) };
    case "last-month":
      return { from: day(year, month - 1, 1), to: day(year, month, 1) };
    case "this-year":
      return { from: day(year, 0, 1) };
    case "all":
      return {};
    case "custom": {
      if (first === "" || last === "" || first > last) return undefined;
      const end = new Date(last);
      return {
        from: first,
        to: day(end.getUTCFullYear(), end.getUTCMonth(), end.getUTCDate() + 1),
      };
    }
  }
}

/** Names the days that the file has, such as `ironlease-statement-2026-10-01-to-2026-10-31.json`. */
export function fileNameOf(
  { from, to }: Period,
  extension: "json" | "csv",
  now: Date,
  content: "statement" | "ledger" = "statement",
): string {
  const last = to === undefined ? now : new Date(Date.parse(to) - 1);
  const start = from === undefined ? "" : `${from}-`;
  return `ironlease-${content}-${start}to-${last.toISOString().slice(0, 10)}.${extension}`;
}

function day(year: number, month: number, date: number): string {
  return new Date(Date.UTC(year, month, date)).toISOString().slice(0, 10);
}
