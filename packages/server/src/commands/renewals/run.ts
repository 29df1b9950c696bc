import { UsageError } from "@ironlease/command-line";
import { usdFromCents } from "@ironlease/contract";
import { forecastRenewals } from "#features/renewals/forecast-renewals.ts";
import { renewDueServers } from "#features/renewals/renew-due-servers.ts";
import type { RenewalStep } from "#features/renewals/renewal-step.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime } from "#kernel/iso-time.ts";
import type { Call } from "#commands/command.ts";
import { stepDocument, stepHeading, stepLine, totalLine } from "./renewal-lines.ts";
import { checkDataFolder, withDatabase } from "#commands/with-database.ts";

const help = "ironleased renewals run --help";

/** Enough to read. The total counts all steps. */
const maxLines = 1_000;

/** A time further ahead is most likely a mistyped year, and would end servers that are paid for. */
const maxAheadMs = 2 * 366 * 86_400_000;

type RunCall = Call<unknown, { readonly at: string | undefined; readonly "dry-run": boolean }>;

interface Run {
  /** Renew the servers that are due by this time. By default, the current time. */
  readonly at: number | undefined;
  readonly isDry: boolean;
}

/** Renews, starts grace periods and ends servers, or prints what would happen. Exit code 1 on failures. */
export async function runRenewals({ options, env, print, data }: RunCall): Promise<number> {
  const at = options.at === undefined ? undefined : readTime(options.at);
  const run = { at, isDry: options["dry-run"] };
  return withDatabase(env, print, checkDataFolder, (core) => renew(core, run, { print, data }));
}

const isoDateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;

function readTime(text: string): number {
  if (!isoDateTime.test(text)) {
    const example = "a date and time with Z or an offset, such as 2026-12-15T09:30:00Z";
    throw new UsageError(`--at must be ${example}.`, help);
  }
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    throw new UsageError(`--at is not a valid time: ${text}.`, help);
  }
}

async function renew(
  core: Core,
  run: Run,
  { print, data }: Pick<RunCall, "print" | "data">,
): Promise<number> {
  const now = core.clock.now();
  const { at: asOf = now, isDry } = run;
  if (asOf > now + maxAheadMs) {
    throw new UsageError("--at is more than two years ahead. Nothing was done.", help);
  }
  const ahead = asOf > now ? " (in the future)" : "";
  print(`Renewals due by ${isoTime(asOf)}${ahead}${isDry ? ", dry run: nothing is written" : ""}`);
  let steps = 0;
  const documents: object[] = [];
  const onStep = (step: RenewalStep) => {
    if (steps === 0) print(stepHeading);
    steps += 1;
    if (steps > maxLines) return;
    documents.push(stepDocument(step));
    print(stepLine(step));
  };
  const { counts, failures } = isDry
    ? { counts: await forecastRenewals(core, asOf, onStep), failures: [] }
    : await renewDueServers(core, { asOf, onStep });
  const { cents, ...totals } = counts;
  data({
    dueBy: isoTime(asOf),
    dryRun: isDry,
    totals: { ...totals, usd: usdFromCents(cents) },
    steps: documents,
    moreSteps: Math.max(0, steps - maxLines),
    failures: failures.map(reasonOf),
  });
  if (steps > maxLines) print(`… and ${steps - maxLines} more`);
  print(totalLine(counts));
  for (const failure of failures) print(`Failed: ${reasonOf(failure)}`);
  return failures.length === 0 ? 0 : 1;
}

function reasonOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure);
  const { message, cause } = failure;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
