import { PassThrough } from "node:stream";
import { questionIn } from "./question-in.ts";
import { ironlease as program } from "#cli/commands/index.ts";
import type { Io } from "#cli/io.ts";
import { run } from "#cli/run.ts";

/** What somebody types when a question comes up that fits. */
export type Answer = readonly [question: RegExp, keys: string];

export interface Around {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** What is piped in; without it and without answers there is nothing to read. */
  readonly piped?: string;
  /** Makes it a terminal, with somebody at it. */
  readonly answers?: readonly Answer[];
  readonly signal?: AbortSignal;
  /** What a look at standard output finds before anything is sent. */
  readonly outputTrouble?: string;
  /** What becomes of everything that is written to standard output. */
  readonly flushError?: Error;
  readonly wait?: (ms: number) => Promise<void>;
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether what is typed would have been shown by the terminal itself, at each key that was typed. */
  readonly echoed: readonly boolean[];
}

/** Runs `ironlease` in this process: the same entry as the program's, with streams of the test's. */
export async function ironlease(argv: readonly string[], around: Around = {}): Promise<Ran> {
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
      if (next === undefined || !next[0].test(questionIn(asked))) return;
      left.shift();
      asked = "";
      echoed.push(!isRaw);
      // After the last answer the input ends, so that one question too many fails instead of waiting.
      // The prompt listens for keys only after it has drawn the question.
      setImmediate(() => (left.length === 0 ? stdin.end(next[1]) : stdin.write(next[1])));
    };
    if (left.length === 0) stdin.end();
  } else stdin.end(piped ?? "");
  const io: Io = {
    ...{ stdin, stdout, stderr, env, cwd },
    signal: around.signal ?? new AbortController().signal,
    outputTrouble: () => around.outputTrouble,
    flush: async () => {
      if (around.flushError !== undefined) throw around.flushError;
    },
    wait: around.wait ?? (() => Promise.reject(new Error("nobody said how long to wait"))),
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
