import { parseArgs } from "node:util";
import { foreseeRenewals } from "../../features/renewals/foresee-renewals.ts";
import { renewDueServers } from "../../features/renewals/renew-due-servers.ts";
import type { RenewalStep } from "../../features/renewals/renewal-step.ts";
import type { Core } from "../../kernel/core.ts";
import { isoTime } from "../../ports/clock.ts";
import { stepHeading, stepLine, totalLine } from "./renewal-lines.ts";
import { sayWhereItIs, withDatabase, type Environment, type Print } from "../with-database.ts";

const usage = "Usage: ironleased renewals run [--at TIME] [--dry-run]";

/** As many as somebody reads; the total counts them all. */
const maxLines = 1_000;

/** Further ahead is a mistyped year, and would end servers that are paid for. */
const maxAheadMs = 2 * 366 * 86_400_000;

interface Run {
  /** What is due by then is taken; undefined for now. */
  readonly at: number | undefined;
  readonly isDry: boolean;
}

/**
 * Renews, puts into grace and ends what is due, or says what that would be. Exit code 1 when it could
 * not all be done, 2 when the command line is not understood.
 */
export async function renewalsRun(
  args: readonly string[],
  env: Environment,
  print: Print,
): Promise<number> {
  const run = readRun(args);
  if (typeof run === "string") {
    print(run);
    print(usage);
    return 2;
  }
  return withDatabase(env, print, sayWhereItIs, (core) => renew(core, run, print));
}

/** What the arguments ask for, or a sentence that says what is wrong with them. */
function readRun(args: readonly string[]): Run | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { at: { type: "string" }, "dry-run": { type: "boolean" } },
    });
    const at = values.at === undefined ? undefined : readTime(values.at);
    if (typeof at === "string") return at;
    return { at, isDry: values["dry-run"] === true };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const isoDateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;

function readTime(text: string): number | string {
  const example = "a date and time with Z or an offset, such as 2026-12-15T09:30:00Z";
  if (!isoDateTime.test(text)) return `--at takes ${example}.`;
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    return `There is no such time as ${text}: --at takes ${example}.`;
  }
}

async function renew(core: Core, run: Run, print: Print): Promise<number> {
  const now = core.clock.now();
  const { at: asOf = now, isDry } = run;
  if (asOf > now + maxAheadMs) {
    print("--at is more than two years ahead. Nothing was done.");
    print(usage);
    return 2;
  }
  const ahead = asOf > now ? ", ahead of the clock" : "";
  print(`What is due by ${isoTime(asOf)}${ahead}${isDry ? " (dry run: nothing is written)" : ""}`);
  let steps = 0;
  const onStep = (step: RenewalStep) => {
    if (steps === 0) print(stepHeading);
    steps += 1;
    if (steps <= maxLines) print(stepLine(step));
  };
  const { counts, failures } = isDry
    ? { counts: await forecastRenewals(core, asOf, onStep), failures: [] }
    : await renewDueServers(core, { asOf, onStep });
  if (steps > maxLines) print(`… and ${steps - maxLines} more`);
  print(totalLine(counts));
  for (const failure of failures) print(`Not done: ${reasonOf(failure)}`);
  return failures.length === 0 ? 0 : 1;
}

function reasonOf(failure: unknown): string {
  if (!(failure instanceof Error)) return String(failure);
  const { message, cause } = failure;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
