import type { Argument, Options } from "./option.ts";

/** One command as data. The parser, help, completion and the reference page read nothing else. */
export interface Command {
  /** What users type: a noun and a verb, or one word. */
  readonly words: readonly string[];
  readonly summary: string;
  /** Paragraphs. */
  readonly description?: readonly string[];
  readonly arguments?: readonly Argument[];
  readonly options?: Options;
  /** Top-level fields of the command's JSON output, where they are fixed. */
  readonly fields?: readonly string[];
  /** Columns of the command's list, if it prints one. */
  readonly columns?: readonly NamedColumn[];
  /** For programs only: help, completion and the reference leave it out. */
  readonly isHidden?: true;
  readonly examples: readonly Example[];
}

export interface NamedColumn {
  readonly field: string;
}

export interface Example {
  readonly line: string;
  readonly meaning: string;
}

/** A program: its commands, and what they have in common. */
export interface Program<Kind extends Command = Command> {
  readonly name: string;
  readonly summary: string;
  readonly commands: readonly Kind[];
  /** Options of every command. One of them is `help`. */
  readonly globalOptions: Options;
  /**
   * The hidden command that prints what a shell offers, as lines of a word, a tab and its meaning. Completion scripts
   * call it with the name in `completes` and the words typed so far.
   */
  readonly completes?: string;
  /** Command lines for a first try. */
  readonly firstSteps: { readonly title: string; readonly lines: readonly string[] };
  /** Sentences at the end of the overview. */
  readonly notes: readonly string[];
}

export function shownCommands<Kind extends Command>({ commands }: Program<Kind>): readonly Kind[] {
  return commands.filter(({ isHidden }) => isHidden !== true);
}

export function nameOf({ words }: Command): string {
  return words.join(" ");
}
