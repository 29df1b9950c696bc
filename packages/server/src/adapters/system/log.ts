import pino, { type Logger } from "pino";

/**
 * So much is written at once under load: handing it to the disk costs a request more than making its
 * line does. When there is less, it is written four times a second.
 */
const flushBytes = 65_536;
const flushEveryMs = 250;

/** Where lines go, and what `flushLog` waits for. */
interface Destination {
  write(lines: string): void;
  flush?(whenWritten: () => void): void;
}

/** Structured logs, a JSON object a line. Secrets are kept out by never being handed to it. */
export function createLog(level: string, destination?: Destination): Logger {
  return pino({ level, base: null }, destination ?? (standardOutput ??= gatheringOutput()));
}

let standardOutput: Destination | undefined;

/**
 * Lines are gathered here and handed on in pieces: the stream looks through all that it holds with every
 * line that it is given.
 */
function gatheringOutput(): Destination {
  const stream = pino.destination({ dest: 1, sync: false, maxWrite: 2 * flushBytes });
  let gathered = "";
  const handOn = () => {
    if (gathered !== "") stream.write(gathered);
    gathered = "";
  };
  setInterval(handOn, flushEveryMs).unref();
  process.once("exit", () => {
    handOn();
    stream.flushSync();
  });
  return {
    write: (line) => {
      gathered += line;
      if (gathered.length >= flushBytes) handOn();
    },
    flush: (whenWritten) => {
      handOn();
      stream.flush(() => whenWritten());
    },
  };
}

/**
 * Resolves when every line has been written, or cannot be any more. To be waited for before the process
 * ends: what is left is otherwise written at the exit, which never gives up when nobody reads.
 */
export function flushLog(log: Logger): Promise<void> {
  return new Promise((resolve) => log.flush(() => resolve()));
}

/** What a terminal would act on, or take for the end of the line. */
// oxlint-disable-next-line eslint/no-control-regex -- these are the characters in question
const acting = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g;

/** One readable line for each entry, for a person at a terminal. */
export function readableLines(out: { write(text: string): void }): { write(line: string): void } {
  return {
    write: (line) => {
      const { time, level, msg, operation, method, status, ms, err } = JSON.parse(line) as Entry;
      const clock = new Date(time).toISOString().slice(11, 19);
      const word = levelWord(level);
      const what =
        status === undefined ? (msg ?? "") : `${method} ${operation ?? "-"} ${status} ${ms} ms`;
      const why = err === undefined ? "" : `: ${err.message.replaceAll(acting, " ")}`;
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
