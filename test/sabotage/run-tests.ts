import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { TestOutcome } from "./json-reporter.ts";

export interface TestRun {
  readonly outcomes: readonly TestOutcome[];
  /** Whether the test runner exited with 0. A file that does not load fails without reporting a test. */
  readonly hasPassed: boolean;
  readonly ms: number;
}

const reporter = fileURLToPath(import.meta.resolve("./json-reporter.ts"));

/** Timeouts, because a bug may make a test wait forever. */
const testTimeoutMs = 400_000;
const runTimeoutMs = 900_000;

/** Runs test files of a copy of the repository in a child process. */
export async function runTests(
  root: string,
  files: readonly string[],
  postgresUrl: string | undefined,
): Promise<TestRun> {
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [
      "--test",
      "--test-concurrency=1",
      `--test-timeout=${testTimeoutMs}`,
      `--test-reporter=${reporter}`,
      ...files,
    ],
    { cwd: root, env: environment(root, postgresUrl), stdio: ["ignore", "pipe", "ignore"] },
  );
  const exit = once(child, "exit");
  const timeout = setTimeout(() => child.kill(), runTimeoutMs);
  const outcomes: TestOutcome[] = [];
  for await (const line of createInterface(child.stdout))
    outcomes.push(JSON.parse(line) as TestOutcome);
  const [code] = (await exit) as [number | null];
  clearTimeout(timeout);
  return { outcomes, hasPassed: code === 0, ms: performance.now() - startedAt };
}

/**
 * Variables of the surrounding test run. With them the runner would act as a file of that run, and use a template
 * database that was migrated without the bug.
 */
const outerRunVariables = [
  "NODE_TEST_CONTEXT",
  "IRONLEASE_TEST_POSTGRES",
  "IRONLEASE_TEST_TEMPLATE",
];

function environment(root: string, postgresUrl: string | undefined): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !outerRunVariables.includes(name),
  );
  return {
    ...Object.fromEntries(inherited),
    // All runs of one copy share the compiled modules.
    NODE_COMPILE_CACHE: `${root}/node_modules/.cache`,
    ...(postgresUrl === undefined ? {} : { IRONLEASE_TEST_DATABASE_URL: postgresUrl }),
  };
}
