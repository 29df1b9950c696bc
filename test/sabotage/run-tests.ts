import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { TestEnd } from "./tell-tests.ts";

export interface TestRun {
  readonly ends: readonly TestEnd[];
  /** Whether every file passed, those included that could not tell of a test. */
  readonly isGreen: boolean;
  readonly ms: number;
}

const reporter = fileURLToPath(import.meta.resolve("./tell-tests.ts"));

/** A bug may make a test wait for ever: it fails after so long, and its run after so much longer. */
const longestTestMs = 180_000;
const longestRunMs = 900_000;

/** Runs test files of a copy, in processes of their own, against the PostgreSQL at that address. */
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
      `--test-timeout=${longestTestMs}`,
      `--test-reporter=${reporter}`,
      ...files,
    ],
    { cwd: root, env: environment(root, postgresUrl), stdio: ["ignore", "pipe", "ignore"] },
  );
  const exit = once(child, "exit");
  const tooLong = setTimeout(() => child.kill(), longestRunMs);
  const ends: TestEnd[] = [];
  for await (const line of createInterface(child.stdout)) ends.push(JSON.parse(line) as TestEnd);
  const [code] = (await exit) as [number | null];
  clearTimeout(tooLong);
  return { ends, isGreen: code === 0, ms: performance.now() - startedAt };
}

/**
 * A runner that is started by a test would take itself for one of that run's files, and the tables that
 * such a run hands out are made without the bug.
 */
const ofAnotherRun = ["NODE_TEST_CONTEXT", "IRONLEASE_TEST_POSTGRES", "IRONLEASE_TEST_TEMPLATE"];

function environment(root: string, postgresUrl: string | undefined): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !ofAnotherRun.includes(name));
  return {
    ...Object.fromEntries(own),
    // Modules of one copy are compiled once for all of its runs.
    NODE_COMPILE_CACHE: `${root}/node_modules/.cache`,
    ...(postgresUrl === undefined ? {} : { IRONLEASE_TEST_DATABASE_URL: postgresUrl }),
  };
}
