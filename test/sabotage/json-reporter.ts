import type { TestEvent } from "node:test/reporters";

/** The outcome of one test, reported to the parent process. */
export interface TestOutcome {
  /** Includes the names of the enclosing suites. */
  readonly title: string;
  readonly end: "passed" | "skipped" | "assertion failed" | "broke";
  /** Only for a failure. */
  readonly message?: string;
}

/** A test reporter that prints one line of JSON per test, without suites. */
// oxlint-disable-next-line import/no-default-export -- the test runner requires it of a reporter.
export default async function* jsonReporter(
  events: AsyncIterable<TestEvent>,
): AsyncGenerator<string> {
  const names: string[] = [];
  for await (const event of events) {
    if (event.type === "test:start") names[event.data.nesting] = event.data.name;
    if (event.type !== "test:pass" && event.type !== "test:fail") continue;
    const { name, nesting, details } = event.data;
    if (details.type === "suite") continue;
    const title = [...names.slice(0, nesting), name].join(" › ");
    yield `${JSON.stringify({ title, ...outcomeFields(event) } satisfies TestOutcome)}\n`;
  }
}

function outcomeFields(event: Extract<TestEvent, { type: "test:pass" | "test:fail" }>) {
  if (event.type === "test:pass") {
    return { end: event.data.skip === undefined ? ("passed" as const) : ("skipped" as const) };
  }
  const { error } = event.data.details;
  const message = error.cause instanceof Error ? String(error.cause) : String(error);
  // A file that does not load, a failed hook and a timeout are not failed assertions.
  const isTestFailure = "failureType" in error && error.failureType === "testCodeFailure";
  const end = isTestFailure && isAssertion(error) ? "assertion failed" : "broke";
  return { end, message } as const;
}

/** Follows the causes, because a failed property test wraps the failed assertion. */
function isAssertion(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && error.code === "ERR_ASSERTION") || isAssertion(error.cause);
}
