import { UsageError } from "../usage-error.ts";
import type { Prompter } from "./prompter.ts";

export interface Secret {
  readonly question: string;
  /** What it has to be like. */
  readonly hint?: string;
  /** Asked for twice: nobody sees what they type. */
  readonly isNew?: true;
}

/** A password that is about to be set. */
export const newSecret = (question: string): Secret => ({
  question,
  hint: "10 characters or more",
  isNew: true,
});

/** Passwords and codes, asked for without showing them, or read from a pipe in that order. */
export async function readSecrets(
  prompter: Prompter,
  secrets: readonly Secret[],
  isPiped: boolean,
): Promise<readonly string[]> {
  if (isPiped) {
    const lines = await prompter.readLines();
    const wanted = secrets.map(({ question }) => question.toLowerCase()).join(", then ");
    if (lines.length !== secrets.length || lines.includes("")) {
      throw new UsageError(`Standard input must have one line each: the ${wanted}.`);
    }
    return lines;
  }
  if (!prompter.isPossible) {
    throw new UsageError(
      "There is no terminal to ask for a password on.",
      "Pipe it in with --password-stdin.",
    );
  }
  const answers: string[] = [];
  for (const { question, hint, isNew } of secrets) {
    const answer = await prompter.ask(
      `${question}${hint === undefined ? "" : ` (${hint})`}:`,
      true,
    );
    if (isNew && (await prompter.ask(`${question}, once more:`, true)) !== answer) {
      throw new UsageError("The two are not the same. Nothing was sent.");
    }
    answers.push(answer);
  }
  return answers;
}
