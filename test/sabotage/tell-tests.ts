import type { TestEvent } from "node:test/reporters";

/** How one test ended, as told from the process that ran it to the one that judges. */
export interface TestEnd {
  /** With the names of the suites around it. */
  readonly title: string;
  readonly end: "passed" | "skipped" | "assertion failed" | "broke";
  /** Of a failure. */
  readonly message?: string;
}

/** A reporter: one line of JSON for each test that is not a suite. */
// oxlint-disable-next-line import/no-default-export -- the runner asks a reporter for it.
export default async function* tellTests(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const names: string[] = [];
  for await (const event of events) {
    if (event.type === "test:start") names[event.data.nesting] = event.data.name;
    if (event.type !== "test:pass" && event.type !== "test:fail") continue;
    const { name, nesting, details } = event.data;
    if (details.type === "suite") continue;
    const title = [...names.slice(0, nesting), name].join(" › ");
    yield `${JSON.stringify({ title, ...endOf(event) } satisfies TestEnd)}\n`;
  }
}

function endOf(event: Extract<TestEvent, { type: "test:pass" | "test:fail" }>) {
  if (event.type === "test:pass") {
    return { end: event.data.skip === undefined ? ("passed" as const) : ("skipped" as const) };
  }
  const { error } = event.data.details;
  const message = error.cause instanceof Error ? String(error.cause) : String(error);
  // A file that does not load, a hook that fails and a test that is cut off are no assertions.
  const isOwn = "failureType" in error && error.failureType === "testCodeFailure";
  return { end: isOwn && isAssertion(error) ? "assertion failed" : "broke", message } as const;
}

/** A property's failure has the assertion as its cause, and the test's failure has that. */
function isAssertion(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && error.code === "ERR_ASSERTION") || isAssertion(error.cause);
}
