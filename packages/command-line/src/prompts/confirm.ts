import { UsageError } from "../usage-error.ts";
import { PromptEnded, type Prompter } from "./prompter.ts";

/** How sure somebody has to be: `yes`, or a word that is typed in full. */
export interface Question {
  /** What is about to be done, in sentences. */
  readonly text: string;
  readonly word?: string;
}

/** Goes on only when told to: by `--yes`, or by somebody at a terminal. Never waits for nobody. */
export async function confirm(
  prompter: Prompter,
  { text, word }: Question,
  isSure: boolean,
): Promise<void> {
  if (isSure) return;
  if (!prompter.isPossible) {
    throw new UsageError(
      `This asks before it goes on, and there is no terminal to ask on. ${text}`,
      "Add --yes to go on without being asked.",
    );
  }
  const answer = await prompter.ask(
    word === undefined ? `${text} [y/N]` : `${text} Type ${word} to go on:`,
  );
  const isYes = word === undefined ? /^y(?:es)?$/i.test(answer.trim()) : answer.trim() === word;
  if (!isYes) throw new PromptEnded("declined");
}
