import { UsageError } from "../usage-error.ts";
import { PromptEnded, type Prompter } from "./prompter.ts";

export interface Question {
  /** What is about to happen. */
  readonly text: string;
  /** The word to type in full instead of `y`, where a slip would be costly. */
  readonly word?: string;
}

/** Returns if the user confirms or gave `--yes`. Throws otherwise, and without a terminal. */
export async function confirm(
  prompter: Prompter,
  { text, word }: Question,
  isConfirmed: boolean,
): Promise<void> {
  if (isConfirmed) return;
  if (!prompter.isPossible) {
    throw new UsageError(
      `This needs a confirmation, but there is no terminal to ask for it. ${text}`,
      "To confirm, add --yes.",
    );
  }
  const isYes =
    word === undefined
      ? await prompter.askYesNo(text)
      : (await prompter.ask(`${text} Type ${word} to continue:`)).trim() === word;
  if (!isYes) throw new PromptEnded("declined");
}
