import pino from "pino";
import type { Log } from "#ports/log.ts";

/** Lines are written in batches, because a system call per line would slow down every request. */
const flushBytes = 65_536;
const flushEveryMs = 250;

interface Destination {
  write(lines: string): void;
  flush?(whenWritten: () => void): void;
}

/** Structured logs, one JSON object per line, on standard output by default. */
export function createLog(
  level: string,
  destination: Destination = (standardOutput ??= bufferedOutput()),
): Log {
  const writeLine = (line: string) => destination.write(line);
  return Object.assign(pino({ level, base: null }, destination), { writeLine });
}

let standardOutput: Destination | undefined;

/** Buffers lines itself, since the stream's own buffer scans all its chunks on each write. */
function bufferedOutput(): Destination {
  const stream = pino.destination({ dest: 1, sync: false, maxWrite: 2 * flushBytes });
  let buffered = "";
  const writeOut = () => {
    if (buffered !== "") stream.write(buffered);
    buffered = "";
  };
  setInterval(writeOut, flushEveryMs).unref();
  process.once("exit", () => {
    writeOut();
    stream.flushSync();
  });
  return {
    write: (line) => {
      buffered += line;
      if (buffered.length >= flushBytes) writeOut();
    },
    flush: (whenWritten) => {
      writeOut();
      stream.flush(() => whenWritten());
    },
  };
}

/**
 * Resolves when every line is written or cannot be written any more. Call it before the process exits: remaining
 * lines are written synchronously at exit, which blocks forever if the reader of a pipe has stopped reading.
 */
export function flushLog(log: Log): Promise<void> {
  return new Promise((resolve) => log.flush(() => resolve()));
}

/** Control characters and line separators, which a terminal would interpret. */
// oxlint-disable-next-line eslint/no-control-regex -- matches control characters on purpose
const controlCharacters = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** Formats each entry as one readable line for a terminal. */
export function readableLines(out: { write(text: string): void }): { write(line: string): void } {
  return {
    write: (line) => {
      const { time, level, msg, operation, method, status, ms, err } = JSON.parse(line) as Entry;
      const clock = new Date(time).toISOString().slice(11, 19);
      const word = levelWord(level);
      const what =
        status === undefined ? (msg ?? "") : `${method} ${operation ?? "-"} ${status} ${ms} ms`;
      const why = err === undefined ? "" : `: ${err.message.replaceAll(controlCharacters, " ")}`;
      out.write(`${clock} ${word}${what}${why}\n`);
    },
  };
}

function levelWord(level: number): string {
  if (level >= 50) return "error ";
  return level >= 40 ? "warn " : "";
}

interface Entry {
  readonly time: number;
  readonly level: number;
  readonly msg?: string;
  readonly operation?: string;
  readonly method?: string;
  readonly status?: number;
  readonly ms?: number;
  readonly err?: { readonly message: string };
}
