import type { Readable } from "node:stream";
import { CommandFailure, usageFailure } from "../../../cli/src/failures/failure.ts";
import type { Io } from "../../../cli/src/io.ts";
import { cleanText } from "../clean-text.ts";
import { LineEditor } from "./line-editor.ts";

/** What is piped in is read up to here. */
const mostBytes = 64 * 1024;

/** Asks on the terminal. Questions go to standard error: standard output is the answer's. */
export class Prompter {
  readonly #io: Io;
  #ahead = "";

  constructor(io: Io) {
    this.#io = io;
  }

  get isPossible(): boolean {
    const { stdin, stderr } = this.#io;
    return stdin.isTTY === true && stderr.isTTY === true && stdin.setRawMode !== undefined;
  }

  /** A line that is typed; a hidden one is not shown. */
  async ask(question: string, isHidden = false): Promise<string> {
    const { stdin, stderr, signal } = this.#io;
    if (!this.isPossible) throw usageFailure(`There is no terminal to ask on: ${question}`);
    const editor = new LineEditor((text) => {
      if (!isHidden) stderr.write(text);
    });
    // Raw before anything is shown: what is typed into a password must never be seen.
    stdin.setRawMode?.(true);
    stdin.setEncoding("utf8");
    stderr.write(`${cleanText(question)} `);
    let stop = () => {};
    try {
      return await new Promise<string>((resolve, reject) => {
        const press = (keys: string) => {
          const pressed = editor.press(keys);
          if (pressed.kind === "line") resolve(pressed.line);
          if (pressed.kind === "interrupted") reject(interrupted());
          if (pressed.kind === "closed") reject(declined());
        };
        const close = () => reject(declined());
        const abort = () => reject(interrupted());
        stop = () => {
          stdin.off("data", press);
          stdin.off("end", close);
          signal.removeEventListener("abort", abort);
        };
        stdin.on("data", press);
        stdin.once("end", close);
        signal.addEventListener("abort", abort, { once: true });
        const ahead = this.#ahead;
        this.#ahead = "";
        press(ahead);
        if ((stdin as Partial<Readable>).readableEnded === true) close();
        stdin.resume();
      });
    } finally {
      stop();
      this.#ahead = editor.ahead;
      stdin.pause();
      stdin.setRawMode?.(false);
      stderr.write("\n");
    }
  }

  /** The lines that are piped in, without their ends; nothing else is taken off them. */
  async readLines(): Promise<readonly string[]> {
    const { stdin } = this.#io;
    if (stdin.isTTY === true) {
      throw usageFailure(
        "--password-stdin reads from a pipe or a file, not from a terminal.",
        "Leave it out to be asked.",
      );
    }
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of stdin) {
      const bytes = Buffer.from(chunk);
      length += bytes.length;
      if (length > mostBytes) throw usageFailure("There is too much on standard input.");
      chunks.push(bytes);
    }
    return Buffer.concat(chunks)
      .toString()
      .replace(/\r?\n$/, "")
      .split(/\r?\n/);
  }
}

export function declined(): CommandFailure {
  const message = "Nothing was changed.";
  return new CommandFailure({ exit: "declined", code: "declined", message });
}

function interrupted(): CommandFailure {
  const message = "Interrupted. Nothing was changed.";
  return new CommandFailure({ exit: "interrupted", code: "interrupted", message });
}
