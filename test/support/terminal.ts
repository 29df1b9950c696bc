import { PassThrough } from "node:stream";
import { promptText } from "./prompt-text.ts";
import { ironlease as program } from "#cli/commands/index.ts";
import type { Io } from "#cli/io.ts";
import { run } from "#cli/run.ts";

/** The keys to type when a prompt matches. */
export type Answer = readonly [question: RegExp, keys: string];

export interface RunOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Piped to standard input, which is empty by default. */
  readonly piped?: string;
  /** Turns the streams into a terminal on which these answers are typed. */
  readonly answers?: readonly Answer[];
  readonly signal?: AbortSignal;
  /** The problem that the check of standard output reports before the command sends anything. */
  readonly outputTrouble?: string;
  /** Makes writing to standard output fail with this error. */
  readonly flushError?: Error;
  readonly wait?: (ms: number) => Promise<void>;
  readonly start?: Io["start"];
}

export interface RunResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** For each answer, whether the terminal echoed it. */
  readonly echoed: readonly boolean[];
}

/** Runs `ironlease` in this process, with streams that the test controls. */
export async function ironlease(
  argv: readonly string[],
  around: RunOptions = {},
): Promise<RunResult> {
  const { env = {}, cwd = "/", piped, answers } = around;
  const isTTY = answers !== undefined;
  const [stdout, stderr] = [collector(isTTY), collector(isTTY)];
  const echoed: boolean[] = [];
  let isRaw = false;
  const stdin = Object.assign(new PassThrough(), {
    isTTY,
    setRawMode: (isOn: boolean) => (isRaw = isOn),
  });
  if (isTTY) {
    const left = [...answers];
    let asked = "";
    stderr.onWrite = (text) => {
      asked += text;
      const [next] = left;
      if (next === undefined || !next[0].test(promptText(asked))) return;
      left.shift();
      asked = "";
      echoed.push(!isRaw);
      // Input ends after the last answer, so that an unexpected prompt fails instead of waiting. Typing is
      // deferred, because the prompt listens for keys only after it has drawn the question.
      setImmediate(() => (left.length === 0 ? stdin.end(next[1]) : stdin.write(next[1])));
    };
    if (left.length === 0) stdin.end();
  } else stdin.end(piped ?? "");
  const io: Io = {
    stdin,
    stdout,
    stderr,
    env,
    cwd,
    signal: around.signal ?? new AbortController().signal,
    outputTrouble: () => around.outputTrouble,
    flush: async () => {
      if (around.flushError !== undefined) throw around.flushError;
    },
    start:
      around.start ??
      (() => Promise.reject(new Error("the test did not provide a start function"))),
    wait:
      around.wait ?? (() => Promise.reject(new Error("the test did not provide a wait function"))),
  };
  const code = await run(program, argv, io);
  return { code, stdout: stdout.text, stderr: stderr.text, echoed };
}

interface Collector {
  readonly isTTY: boolean;
  readonly columns: number;
  text: string;
  onWrite?: (text: string) => void;
  write(text: string): void;
}

function collector(isTTY: boolean): Collector {
  return {
    isTTY,
    columns: 60,
    text: "",
    write(text) {
      this.text += text;
      this.onWrite?.(text);
    },
  };
}
