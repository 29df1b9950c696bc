import type { Input, Screen } from "@ironlease/command-line";

/** All that the program has around it, so that tests can hand in their own. */
export interface Io {
  readonly stdin: Input;
  readonly stdout: Screen;
  readonly stderr: Screen;
  /** Why standard output cannot be written to, as a system's code, as far as that can be known. */
  outputTrouble(): string | undefined;
  /** Resolves when all that was written to standard output has left; rejects when it cannot. */
  flush(): Promise<void>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Aborted when somebody wants the program to stop. */
  readonly signal: AbortSignal;
  /** Resolves after that long, or rejects with the signal's reason when that comes first. */
  wait(ms: number): Promise<void>;
}
