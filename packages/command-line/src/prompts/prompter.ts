import type { Readable } from "node:stream";
import { cleanText } from "../clean-text.ts";
import type { Input, Screen } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { LineEditor } from "./line-editor.ts";

/** Limit on piped input. */
const maxBytes = 64 * 1024;

export interface Terminal {
  readonly stdin: Input;
  readonly stderr: Screen;
  readonly signal: AbortSignal;
}

/** The user answered no or closed the prompt (`declined`), or interrupted it with Ctrl-C. */
export class PromptEnded extends Error {
  override readonly name = "PromptEnded";
  readonly reason: "declined" | "interrupted";

  constructor(reason: PromptEnded["reason"]) {
    super(reason);
    this.reason = reason;
  }
}

/** Asks on the terminal. Prompts go to standard error, because standard output carries the result. */
export class Prompter {
  readonly #io: Terminal;
  #ahead = "";

  constructor(io: Terminal) {
    this.#io = io;
  }

  get isPossible(): boolean {
    const { stdin, stderr } = this.#io;
    return stdin.isTTY === true && stderr.isTTY === true && stdin.setRawMode !== undefined;
  }

  /** A line that is typed; a hidden one is not shown. */
  async ask(question: string, isHidden = false): Promise<string> {
    const { stdin, stderr, signal } = this.#io;
    if (!this.isPossible) throw new UsageError(`There is no terminal to ask on: ${question}`);
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
          if (pressed.kind === "interrupted") reject(new PromptEnded("interrupted"));
          if (pressed.kind === "closed") reject(new PromptEnded("declined"));
        };
        const close = () => reject(new PromptEnded("declined"));
        const abort = () => reject(new PromptEnded("interrupted"));
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
      throw new UsageError(
        "--password-stdin reads from a pipe or a file, not from a terminal.",
        "Leave it out to be asked.",
      );
    }
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of stdin) {
      const bytes = Buffer.from(chunk);
      length += bytes.length;
      if (length > maxBytes) throw new UsageError("There is too much on standard input.");
      chunks.push(bytes);
    }
    return Buffer.concat(chunks)
      .toString()
      .replace(/\r?\n$/, "")
      .split(/\r?\n/);
  }
}
