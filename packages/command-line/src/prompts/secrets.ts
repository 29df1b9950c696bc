import { UsageError } from "../usage-error.ts";
import type { Prompter } from "./prompter.ts";

export interface Secret {
  readonly question: string;
  /** The requirement that it must meet. */
  readonly hint?: string;
  /** Asked for twice, because the user cannot see it while typing. */
  readonly isNew?: true;
  /** Never asked for. Piped input may leave it out, if it is last. */
  readonly isOptional?: true;
}

/** A password that is about to be set. */
export function newSecret(question: string): Secret {
  return { question, hint: "10 characters or more", isNew: true };
}

/** Passwords and codes: typed without echo, or piped in, one per line in this order. */
export async function readSecrets(
  prompter: Prompter,
  secrets: readonly Secret[],
  isPiped: boolean,
): Promise<readonly string[]> {
  const needed = secrets.filter(({ isOptional }) => isOptional !== true);
  if (isPiped) {
    const lines = await prompter.readLines();
    const least = needed.length;
    if (lines.length < least || lines.length > secrets.length || lines.includes("")) {
      const wanted = needed.map(({ question }) => question.toLowerCase()).join(", then ");
      throw new UsageError(`Standard input must have one line for each: ${wanted}.`);
    }
    return lines;
  }
  if (!prompter.isPossible) {
    throw new UsageError(
      "There is no terminal to ask for a password.",
      "To pipe it in, add --password-stdin.",
    );
  }
  const answers: string[] = [];
  for (const { question, hint, isNew } of needed) {
    const answer = await prompter.askHidden(
      `${question}${hint === undefined ? "" : ` (${hint})`}:`,
    );
    if (isNew && (await prompter.askHidden(`${question}, again:`)) !== answer) {
      throw new UsageError("The passwords do not match. Nothing was sent.");
    }
    answers.push(answer);
  }
  return answers;
}
