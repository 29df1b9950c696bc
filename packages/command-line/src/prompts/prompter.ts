import { Writable, type Readable } from "node:stream";
import { cleanText } from "../clean-text.ts";
import type { Input, Screen } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

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

export interface Choice<Value> {
  readonly value: Value;
  readonly name: string;
  /** Shown, but cannot be chosen. */
  readonly isDisabled?: boolean;
}

interface PromptContext {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly signal: AbortSignal;
}

/**
 * Asks questions on the terminal. Prompts go to standard error, because standard output carries the result. The
 * library is loaded on demand, because most commands ask no question.
 */
export class Prompter {
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  get isPossible(): boolean {
    const { stdin, stderr } = this.#terminal;
    return stdin.isTTY === true && stderr.isTTY === true && stdin.setRawMode !== undefined;
  }

  /** A line of text. */
  async ask(question: string): Promise<string> {
    const { default: input } = await import("@inquirer/input");
    return this.#prompt(question, (message, context) => input({ message }, context));
  }

  /** A line that is never shown, not even as dots or on request. */
  async askHidden(question: string): Promise<string> {
    const { default: password } = await import("@inquirer/password");
    const theme = { style: { maskedText: "" } };
    return this.#prompt(question, (message, context) =>
      password({ message, mask: false, toggleMask: false, theme }, context),
    );
  }

  /** Yes or no. The Enter key alone means no. */
  async askYesNo(question: string): Promise<boolean> {
    const { default: confirm } = await import("@inquirer/confirm");
    return this.#prompt(question, (message, context) =>
      confirm({ message, default: false }, context),
    );
  }

  /** One of several values, with the arrow keys or by typing. */
  async choose<Value>(question: string, choices: readonly Choice<Value>[]): Promise<Value> {
    const { default: select } = await import("@inquirer/select");
    const shown = choices.map(({ value, name, isDisabled }) => ({
      value,
      name: cleanText(name),
      disabled: isDisabled === true,
    }));
    return this.#prompt(question, (message, context) =>
      select<Value>({ message, choices: shown, loop: false }, context),
    );
  }

  async #prompt<Answer>(
    question: string,
    prompt: (message: string, context: PromptContext) => Promise<Answer>,
  ): Promise<Answer> {
    if (!this.isPossible) throw new UsageError(`There is no terminal to ask for this: ${question}`);
    const { stdin, stderr, signal } = this.#terminal;
    // The library waits forever after the end of input and after Ctrl-D, which pauses the stream. Abort on the next
    // turn, so that an answer that came just before counts.
    const closed = new AbortController();
    const close = () => void setImmediate(() => closed.abort());
    const closings = ["end", "close", "pause"] as const;
    for (const event of closings) stdin.on(event, close);
    if ((stdin as Partial<Readable>).readableEnded === true) close();
    try {
      return await prompt(cleanText(question), {
        input: stdin,
        output: streamTo(stderr),
        signal: AbortSignal.any([signal, closed.signal]),
      });
    } catch (error) {
      throw endOf(error, signal.aborted);
    } finally {
      for (const event of closings) stdin.off(event, close);
    }
  }

  /** The lines of piped input, without their line breaks and otherwise unchanged. */
  async readLines(): Promise<readonly string[]> {
    const { stdin } = this.#terminal;
    if (stdin.isTTY === true) {
      throw new UsageError(
        "Standard input is a terminal. Pipe the input or redirect a file.",
        "To be asked instead, leave out --password-stdin.",
      );
    }
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of stdin) {
      const bytes = Buffer.from(chunk);
      length += bytes.length;
      if (length > maxBytes) throw new UsageError("Standard input is longer than 64 KiB.");
      chunks.push(bytes);
    }
    return Buffer.concat(chunks)
      .toString()
      .replace(/\r?\n$/, "")
      .split(/\r?\n/);
  }
}

function streamTo(screen: Screen): Writable {
  return new Writable({
    write: (chunk: Buffer, _, done) => {
      screen.write(chunk.toString());
      done();
    },
  });
}

/** The library throws an ExitPromptError on Ctrl-C and an AbortPromptError on an aborted signal. */
function endOf(error: unknown, isInterrupted: boolean): unknown {
  const { name } = error as Error;
  if (name === "ExitPromptError") return new PromptEnded("interrupted");
  if (name !== "AbortPromptError") return error;
  return new PromptEnded(isInterrupted ? "interrupted" : "declined");
}
