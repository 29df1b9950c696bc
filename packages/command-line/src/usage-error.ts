/** The command line is invalid, and nothing has been done. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  /** What to do, one line each. A line that starts with the program's name is a command. */
  readonly advice: readonly string[];

  constructor(message: string, ...advice: readonly string[]) {
    super(message);
    this.advice = advice;
  }
}
